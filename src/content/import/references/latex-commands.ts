/** Combining characters for LaTeX's accent commands. */
export const LATEX_ACCENTS: Readonly<Record<string, string>> = {
  "`": "\u0300",
  "'": "\u0301",
  "^": "\u0302",
  "~": "\u0303",
  "=": "\u0304",
  u: "\u0306",
  ".": "\u0307",
  '"': "\u0308",
  r: "\u030a",
  H: "\u030b",
  v: "\u030c",
  d: "\u0323",
  c: "\u0327",
  k: "\u0328",
  b: "\u0331",
  G: "\u030f",
  U: "\u030e",
  t: "\u0361",
};

const SYMBOL_NAMES =
  "ss=ß o=ø O=Ø l=ł L=Ł ae=æ AE=Æ oe=œ OE=Œ aa=å AA=Å i=ı j=ȷ dh=ð DH=Ð th=þ TH=Þ dj=đ DJ=Đ ng=ŋ NG=Ŋ " +
  "textendash=– textemdash=— ldots=… dots=… textellipsis=… S=§ P=¶ copyright=© textcopyright=© pounds=£ " +
  "textsterling=£ euro=€ texteuro=€ textregistered=® texttrademark=™ textdegree=° degree=° textbullet=• " +
  "textquotedblleft=“ textquotedblright=” textquoteleft=‘ textquoteright=’ quotedblbase=„ quotesinglbase=‚ " +
  "glqq=„ grqq=“ glq=‚ grq=‘ flqq=« frqq=» guillemotleft=« guillemotright=» textquestiondown=¿ textexclamdown=¡ " +
  "textasciitilde=~ textasciicircum=^ textbackslash=\\ textbar=| textless=< textgreater=> textunderscore=_ " +
  "textbraceleft={ textbraceright=} lbrace={ rbrace=} textdollar=$ textparagraph=¶ textsection=§ textquotesingle=' " +
  "slash=/ LaTeX=LaTeX TeX=TeX BibTeX=BibTeX textordfeminine=ª textordmasculine=º textmu=µ " +
  "alpha=α beta=β gamma=γ delta=δ epsilon=ε varepsilon=ε zeta=ζ eta=η theta=θ iota=ι kappa=κ lambda=λ mu=μ " +
  "nu=ν xi=ξ pi=π rho=ρ sigma=σ varsigma=ς tau=τ upsilon=υ phi=φ varphi=φ chi=χ psi=ψ omega=ω Gamma=Γ Delta=Δ " +
  "Theta=Θ Lambda=Λ Xi=Ξ Pi=Π Sigma=Σ Phi=Φ Psi=Ψ Omega=Ω times=× pm=± le=≤ leq=≤ ge=≥ geq=≥ ne=≠ neq=≠ " +
  "approx=≈ infty=∞ rightarrow=→ to=→ leftarrow=← cdot=· sim=∼ circ=° prime=′ ell=ℓ";

/** Characters, keyed by the name of their LaTeX command. */
export const LATEX_SYMBOLS: ReadonlyMap<string, string> = new Map(
  SYMBOL_NAMES.split(" ").map((pair) => [
    pair.slice(0, pair.indexOf("=")),
    pair.slice(pair.indexOf("=") + 1),
  ]),
);

/** Commands that affect only the appearance of their argument. */
export const APPEARANCE_COMMANDS: ReadonlySet<string> = new Set(
  (
    "emph textit textbf textsc textsl texttt textrm textsf textup textmd textnormal text mbox hbox mathrm mathbf " +
    "mathit mathsf mathcal mathbb ensuremath uppercase lowercase underline url path nolinkurl it bf em sc sl tt " +
    "rm sf bfseries itshape scshape upshape normalfont small large protect relax noopsort nocase natexlab bibinfo " +
    "mkbibemph mkbibitalic mkbibbold selectlanguage textnumero textsuperscript textsubscript left right"
  ).split(" "),
);

/** Commands that put their argument in quotation marks. */
export const QUOTING_COMMANDS: ReadonlySet<string> = new Set(["enquote", "mkbibquote"]);

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";

/** Returns digits in superscript for the operator `^`, and in subscript for `_`. */
export function superOrSubscript(operator: string, digits: string): string {
  const shapes = [...(operator === "^" ? SUPERSCRIPTS : SUBSCRIPTS)];
  return [...digits].map((digit) => shapes[Number(digit)] ?? digit).join("");
}
