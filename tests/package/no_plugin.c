int notAPlugin(void)
{
    return 0;
}
