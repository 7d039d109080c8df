# Run at build time: the texts of the engine in a translation of the window, INPUT (.ts) -> OUTPUT.
file(READ ${INPUT} ALL)
string(FIND "${ALL}" "<name>Engine</name>" BEGIN)
string(SUBSTRING "${ALL}" ${BEGIN} -1 ALL)
string(FIND "${ALL}" "</context>" END)
string(SUBSTRING "${ALL}" 0 ${END} ALL)
file(WRITE ${OUTPUT} "${ALL}")
