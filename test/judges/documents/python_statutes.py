"""Writes statutes whose sections, paragraphs and letters Word numbers, with python-docx, to the path given."""

import sys

import docx
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn

LEVELS = [
    ("decimal", "§ %1", "Heading2"),
    ("decimal", "(%2)", None),
    ("lowerLetter", "%3)", None),
]
SECTIONS = {
    "Name and seat": {"The society is called A.": [], "Its seat is Leipzig.": []},
    "Members": {"Members are": ["persons", "societies"], "They pay dues.": []},
}


def level(index, form, text, style):
    linked = f'<w:pStyle w:val="{style}"/>' if style else ""
    return (
        f'<w:lvl w:ilvl="{index}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>'
        f'{linked}<w:lvlText w:val="{text}"/></w:lvl>'
    )


document = docx.Document()
numbering = document.part.numbering_part.element
levels = "".join(level(index, *each) for index, each in enumerate(LEVELS))
definition = f'<w:abstractNum {nsdecls("w")} w:abstractNumId="90">{levels}</w:abstractNum>'
numbering.insert(0, parse_xml(definition))
numbering.append(
    parse_xml(f'<w:num {nsdecls("w")} w:numId="90"><w:abstractNumId w:val="90"/></w:num>')
)


def add(text, index, style=None):
    paragraph = document.add_paragraph(text, style=style)
    number = paragraph._p.get_or_add_pPr().get_or_add_numPr()
    number.get_or_add_ilvl().set(qn("w:val"), str(index))
    number.get_or_add_numId().set(qn("w:val"), "90")


document.add_heading("Statutes", 1)
for section, paragraphs in SECTIONS.items():
    add(section, 0, "Heading 2")
    for paragraph, letters in paragraphs.items():
        add(paragraph, 1)
        for letter in letters:
            add(letter, 2)
document.add_paragraph("Adopted in this order:")
for text in ["First reading", "Second reading"]:
    document.add_paragraph(text, style="List Number")
document.add_paragraph("After a break:")
document.add_paragraph("Vote", style="List Number")
document.save(sys.argv[1])
