interface Piece {
  /** The program and what is copied. */
  from: string;
  html: string;
  markdown: string;
}

const WORD_LIST = (text: string, { level = 1, mark = "·" } = {}) =>
  `<p class=MsoListParagraph style='margin-left:36pt;text-indent:-18pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${mark}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>`;
const WORD = (body: string) =>
  `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head><meta name=Generator content="Microsoft Word 15"><style><!-- p.MsoNormal{margin:0cm;font-family:"Calibri",sans-serif;} --></style></head><body lang=DE link="#0563C1"><!--StartFragment-->${body}<!--EndFragment--></body></html>`;
const DOCS = (body: string) =>
  `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-5a1f">${body}</b>`;
const DOCS_SPAN = (
  text: string,
  style = "font-weight:400;font-style:normal;text-decoration:none",
) =>
  `<span style="font-size:11pt;font-family:Arial,sans-serif;color:#000000;${style};white-space:pre-wrap;">${text}</span>`;
const OUTLOOK = (body: string) =>
  `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- /* Font Definitions */ --></style></head><body><div class=WordSection1>${body}</div></body></html>`;
const OFFICE = (body: string) =>
  `<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.0 Transitional//EN"><html><head><meta name="generator" content="LibreOffice 24.2 (Linux)"/><style type="text/css">p { line-height: 115% }</style></head><body lang="en-GB" dir="ltr">${body}</body></html>`;

/** Written after the habits of the programs; each with the Markdown a careful person would type. */
export const PASTED_PIECES: readonly Piece[] = [
  {
    from: "Word: a paragraph",
    html: WORD("<p class=MsoNormal>The toil passes.<o:p></o:p></p>"),
    markdown: "The toil passes.",
  },
  {
    from: "Word: two paragraphs with an empty one between",
    html: WORD(
      "<p class=MsoNormal>One.<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>Two.<o:p></o:p></p>",
    ),
    markdown: "One.\n\nTwo.",
  },
  {
    from: "Word: bold and italic",
    html: WORD(
      "<p class=MsoNormal>It <b>is</b> <i style='mso-bidi-font-style:normal'>so</i>.<o:p></o:p></p>",
    ),
    markdown: "It **is** *so*.",
  },
  {
    from: "Word: a heading",
    html: WORD("<h2>On Toil<o:p></o:p></h2><p class=MsoNormal>Text.</p>"),
    markdown: "## On Toil\n\nText.",
  },
  {
    from: "Word: a list of points",
    html: WORD(WORD_LIST("One") + WORD_LIST("Two")),
    markdown: "- One\n- Two",
  },
  {
    from: "Word: a numbered list",
    html: WORD(WORD_LIST("One", { mark: "1." }) + WORD_LIST("Two", { mark: "2." })),
    markdown: "1. One\n2. Two",
  },
  {
    from: "Word: a list in a list",
    html: WORD(WORD_LIST("One") + WORD_LIST("Below", { level: 2, mark: "o" }) + WORD_LIST("Two")),
    markdown: "- One\n  - Below\n- Two",
  },
  {
    from: "Word: a link",
    html: WORD(
      `<p class=MsoNormal>See <a href="https://example.org/a"><span style='color:#0563C1'>the page</span></a>.</p>`,
    ),
    markdown: "See [the page](https://example.org/a).",
  },
  {
    from: "Word: a table",
    html: WORD(
      "<table class=MsoTableGrid border=1><tr><td width=100><p class=MsoNormal>Name<o:p></o:p></p></td><td><p class=MsoNormal>Year<o:p></o:p></p></td></tr><tr><td><p class=MsoNormal>Seneca</p></td><td><p class=MsoNormal>65</p></td></tr></table>",
    ),
    markdown: "| Name | Year |\n| - | - |\n| Seneca | 65 |",
  },
  {
    from: "Word: a footnote",
    html: WORD(
      `<p class=MsoNormal>Text<a href="#_ftn1" name="_ftnref1"><span class=MsoFootnoteReference>[1]</span></a>.</p><div style='mso-element:footnote-list'><div style='mso-element:footnote' id=ftn1><p class=MsoFootnoteText><a href="#_ftnref1" name="_ftn1"><span class=MsoFootnoteReference>[1]</span></a> Source.</p></div></div>`,
    ),
    markdown: "Text[^1].\n\n[^1]: Source.",
  },
  {
    from: "Word: coloured and sized text",
    html: WORD("<p class=MsoNormal><span style='font-size:18pt;color:red'>Plain</span> words</p>"),
    markdown: "Plain words",
  },
  {
    from: "Word: a line break",
    html: WORD("<p class=MsoNormal>One<br>Two</p>"),
    markdown: "One\\\nTwo",
  },

  {
    from: "Docs: a paragraph",
    html: DOCS(`<p dir="ltr" style="line-height:1.38;">${DOCS_SPAN("The toil passes.")}</p>`),
    markdown: "The toil passes.",
  },
  {
    from: "Docs: bold by weight",
    html: DOCS(
      `<p dir="ltr">${DOCS_SPAN("It ")}${DOCS_SPAN("is", "font-weight:700")}${DOCS_SPAN(" so.")}</p>`,
    ),
    markdown: "It **is** so.",
  },
  {
    from: "Docs: italic by style",
    html: DOCS(
      `<p dir="ltr">${DOCS_SPAN("It ")}${DOCS_SPAN("is", "font-weight:400;font-style:italic")}${DOCS_SPAN(" so.")}</p>`,
    ),
    markdown: "It *is* so.",
  },
  {
    from: "Docs: a heading",
    html: DOCS(`<h2 dir="ltr">${DOCS_SPAN("On Toil")}</h2><p dir="ltr">${DOCS_SPAN("Text.")}</p>`),
    markdown: "## On Toil\n\nText.",
  },
  {
    from: "Docs: a list",
    html: DOCS(
      `<ul style="margin-top:0"><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation">${DOCS_SPAN("One")}</p></li><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation">${DOCS_SPAN("Two")}</p></li></ul>`,
    ),
    markdown: "- One\n- Two",
  },
  {
    from: "Docs: a list beside its point",
    html: DOCS(
      `<ul><li><p>${DOCS_SPAN("One")}</p></li><ul><li><p>${DOCS_SPAN("Below")}</p></li></ul></ul>`,
    ),
    markdown: "- One\n  - Below",
  },
  {
    from: "Docs: a numbered list",
    html: DOCS(`<ol><li><p>${DOCS_SPAN("One")}</p></li><li><p>${DOCS_SPAN("Two")}</p></li></ol>`),
    markdown: "1. One\n2. Two",
  },
  {
    from: "Docs: a link over the redirector",
    html: DOCS(
      `<p><a href="https://www.google.com/url?q=https://example.org/a&amp;sa=D&amp;ust=1">${DOCS_SPAN("the page")}</a></p>`,
    ),
    markdown: "[the page](https://example.org/a)",
  },
  {
    from: "Docs: empty lines between paragraphs",
    html: DOCS(`<p>${DOCS_SPAN("One.")}</p><br><p>${DOCS_SPAN("Two.")}</p>`),
    markdown: "One.\n\nTwo.",
  },
  {
    from: "Docs: a table",
    html: DOCS(
      `<div dir="ltr" align="left"><table><colgroup><col width="100"></colgroup><tbody><tr><td><p>${DOCS_SPAN("Name")}</p></td><td><p>${DOCS_SPAN("Year")}</p></td></tr><tr><td><p>${DOCS_SPAN("Seneca")}</p></td><td><p>${DOCS_SPAN("65")}</p></td></tr></tbody></table></div>`,
    ),
    markdown: "| Name | Year |\n| - | - |\n| Seneca | 65 |",
  },

  {
    from: "Outlook: a mail",
    html: OUTLOOK(
      "<p class=MsoNormal>Dear Anna,<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>Thank you.<o:p></o:p></p>",
    ),
    markdown: "Dear Anna,\n\nThank you.",
  },
  {
    from: "Outlook: spans for the font",
    html: OUTLOOK(
      `<p class=MsoNormal><span lang=EN-GB style='font-size:11.0pt;font-family:"Calibri",sans-serif'>Words<o:p></o:p></span></p>`,
    ),
    markdown: "Words",
  },
  {
    from: "Outlook on the web: divisions",
    html: `<div style="font-family:Aptos;font-size:12pt" class="elementToProof">One.</div><div class="elementToProof"><br></div><div class="elementToProof">Two.</div>`,
    markdown: "One.\n\nTwo.",
  },
  {
    from: "Outlook: a protected link",
    html: OUTLOOK(
      `<p class=MsoNormal><a href="https://example.org/a" originalSrc="https://example.org/a">the page</a></p>`,
    ),
    markdown: "[the page](https://example.org/a)",
  },
  {
    from: "Outlook: a signature picture",
    html: OUTLOOK(`<p class=MsoNormal>Anna<img width=100 src="cid:image001.png@01D"></p>`),
    markdown: "Anna",
  },
  {
    from: "Outlook: a list",
    html: OUTLOOK(
      "<ul style='margin-top:0cm' type=disc><li class=MsoListParagraph style='mso-list:l0 level1 lfo1'>One<o:p></o:p></li><li class=MsoListParagraph>Two<o:p></o:p></li></ul>",
    ),
    markdown: "- One\n- Two",
  },
  {
    from: "Outlook: a mail that is answered",
    html: OUTLOOK(
      "<p class=MsoNormal>Yes.</p><blockquote style='border-left:solid #CCC 1.0pt'><p class=MsoNormal>Is it so?</p></blockquote>",
    ),
    markdown: "Yes.\n\n> Is it so?",
  },
  {
    from: "Outlook: an address to write to",
    html: OUTLOOK(`<p class=MsoNormal><a href="mailto:anna@example.org">Anna</a></p>`),
    markdown: "[Anna](mailto:anna@example.org)",
  },

  {
    from: "LibreOffice: a paragraph",
    html: OFFICE(`<p style="margin-bottom: 0cm">The toil passes.</p>`),
    markdown: "The toil passes.",
  },
  {
    from: "LibreOffice: fonts",
    html: OFFICE(
      `<p><font face="Liberation Serif, serif"><font size="3" style="font-size: 12pt"><b>Bold</b> and <i>italic</i></font></font></p>`,
    ),
    markdown: "**Bold** and *italic*",
  },
  {
    from: "LibreOffice: a heading",
    html: OFFICE(`<h2 class="western">On Toil</h2><p>Text.</p>`),
    markdown: "## On Toil\n\nText.",
  },
  {
    from: "LibreOffice: a list",
    html: OFFICE(`<ul><li><p style="margin-bottom: 0cm">One</p></li><li><p>Two</p></li></ul>`),
    markdown: "- One\n- Two",
  },
  {
    from: "LibreOffice: a numbered list",
    html: OFFICE("<ol><li><p>One</p></li><li><p>Two</p></li></ol>"),
    markdown: "1. One\n2. Two",
  },
  {
    from: "LibreOffice: a table",
    html: OFFICE(
      `<table width="100%" cellpadding="4"><col width="128*"/><tr valign="top"><td><p>Name</p></td><td><p>Year</p></td></tr><tr><td><p>Seneca</p></td><td><p>65</p></td></tr></table>`,
    ),
    markdown: "| Name | Year |\n| - | - |\n| Seneca | 65 |",
  },
  {
    from: "LibreOffice: a link",
    html: OFFICE(`<p><a href="https://example.org/a">the page</a></p>`),
    markdown: "[the page](https://example.org/a)",
  },
  {
    from: "LibreOffice: an empty paragraph",
    html: OFFICE("<p>One.</p><p><br/>\n</p><p>Two.</p>"),
    markdown: "One.\n\nTwo.",
  },
  {
    from: "LibreOffice: a source that wraps lines",
    html: OFFICE("<p>The toil\npasses, the good\nremains.</p>"),
    markdown: "The toil passes, the good remains.",
  },
  {
    from: "LibreOffice: struck out",
    html: OFFICE("<p>It is <strike>not</strike> so.</p>"),
    markdown: "It is ~~not~~ so.",
  },
];
