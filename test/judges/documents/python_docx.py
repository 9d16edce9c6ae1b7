"""Writes a document with python-docx to the path given."""

import sys

import docx

document = docx.Document()
document.add_heading("Report on the library", 0)
document.add_heading("Holdings", 1)
paragraph = document.add_paragraph("The library has ")
paragraph.add_run("three hundred").bold = True
paragraph.add_run(" volumes, ")
paragraph.add_run("mostly").italic = True
paragraph.add_run(" bound.")
for text in ["Novels", "Poems"]:
    document.add_paragraph(text, style="List Bullet")
document.add_paragraph("Letters", style="List Bullet 2")
for text in ["Ask", "Borrow", "Return"]:
    document.add_paragraph(text, style="List Number")
document.add_paragraph("Whoever reads is never alone.", style="Quote")
table = document.add_table(rows=1, cols=2)
table.rows[0].cells[0].text = "Shelf"
table.rows[0].cells[1].text = "Volumes"
for shelf, count in [("Old", "120"), ("New", "180")]:
    cells = table.add_row().cells
    cells[0].text = shelf
    cells[1].text = count
merged = table.add_row().cells
merged[0].merge(merged[1]).text = "All of them counted in May"
document.add_heading("Plans", 2)
document.add_paragraph("A second room: Größe, Ωmega, 漢字 & <more>.")
document.save(sys.argv[1])
