#!/usr/bin/env python3
"""Prints the engine's texts as a source for lupdate: the templates inside QL_TEXT and the names of parameters of core/ and app/;
the help of the command line: descriptions and groups of options and commands; the
titles, descriptions, names of rules, names and meanings of parameters of the built-in platforms and presets; and the rules of
lint tables, in the context "Engine".
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LITERAL = r'"(?:[^"\\]|\\.)*"'
TEMPLATE = re.compile(r"\bQL_TEXT\(\s*((?:" + LITERAL + r"\s*)+)\)")
PARAMETER = re.compile(r'\.name = "(\w+)",\s*\.type = ')  # of an api::ParamSpec


OPTION = re.compile(r"\b(?:add_option|add_flag|add_subcommand|set_help_flag|set_version_flag)\(((?:[^()\"]|" + LITERAL
                    + r"|\([^()]*\))*)\)")  # its arguments; the last one is the description
HELP = re.compile(r"(?:\bCLI::App app\{|\bapp\.footer\(|\bgroup\(|\w+Group = )((?:" + LITERAL + r"\s*)+)")
FOOTER = re.compile(r"\bcommand->footer\(\s*((?:" + LITERAL + r"\s*)+)\)")


def readable(name):
    """As readableName() of views/bridge shows it."""
    return name.replace("_", " ")


def templates():
    for path in sorted(path for room in ("core", "app") for path in (ROOT / room).rglob("*.[ch]*")):
        if path.name == "text.h":  # defines QL_TEXT
            continue
        source = path.read_text()
        for match in TEMPLATE.finditer(source):
            yield "".join(part[1:-1] for part in re.findall(LITERAL, match[1]))
        marked = len(re.findall(r"\bQL_TEXT\(", source)) - len(re.findall(r"//.*\bQL_TEXT\(", source))
        if marked != len(TEMPLATE.findall(source)):
            sys.exit(f"{path.relative_to(ROOT)}: QL_TEXT takes one string literal")
        yield from map(readable, PARAMETER.findall(source))


def literal(text):
    return "".join(part[1:-1] for part in re.findall(LITERAL, text))


def help_texts():
    yield from ("Options", "Example", "Examples")
    for path in sorted((ROOT / "app").glob("cli_*.cpp")):
        source = path.read_text()
        for match in OPTION.finditer(source):
            if literals := re.findall(r"(?:" + LITERAL + r"\s*)+$", match[1]):
                yield literal(literals[-1])
        for match in HELP.finditer(source):
            yield literal(match[1])
        for match in FOOTER.finditer(source):
            yield from (line for line in literal(match[1]).split("\\n") if line and not line.startswith((" ", "Example")))


def platform_texts():
    files = [path for folder in ("lint", "platforms", "presets") for path in sorted((ROOT / "resources" / folder).glob("*.json"))]
    for path in files:
        entry = json.loads(path.read_text())
        texts = [entry.get("title"), entry.get("description")]
        for rule in entry.get("rules", []):
            texts += [rule.get("name"), rule.get("remedy")]
        for param in entry.get("params", []):
            texts += [readable(param["name"]), param.get("meaning")]
        for text in texts:
            if text:
                yield json.dumps(text, ensure_ascii=False)[1:-1]


def main():
    print("void engineTexts()\n{")
    for text in dict.fromkeys([*templates(), *help_texts(), *platform_texts()]):
        print(f'    QT_TRANSLATE_NOOP("Engine", "{text}");')
    print("}")


if __name__ == "__main__":
    main()
