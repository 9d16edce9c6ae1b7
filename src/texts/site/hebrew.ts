import { formatsOf } from "../formats.ts";
import { HEBREW_FORMS } from "../forms/hebrew.ts";
import { HEBREW_PREVIEW } from "../preview/hebrew.ts";
import { HEBREW_REFUSALS } from "../refusals/hebrew.ts";
import { HEBREW_TYPES } from "../types/hebrew.ts";
import type { SiteTextsTranslation } from "./translation.ts";

const { number, counted, list, date, period, languageName } = formatsOf("he");

const items = (count: number) => counted(count, { one: "פריט אחד", other: "# פריטים" });
const to = (names: readonly string[]) => (names.length === 0 ? "" : ` ל${list(names)}`);

export const HEBREW_SITE_TEXTS: SiteTextsTranslation = {
  language: "he",
  types: HEBREW_TYPES,
  number,
  allOf: (parts) => list(parts),
  comma: ", ",
  date: (given) => date(given, given.year < 0 ? `${-given.year} לפנה״ס` : String(given.year)),
  approximate: (date) => `${date} לערך`,
  period,
  countOf: (count, { other }) => `${other}: ${number(count)}`,

  frame: {
    skip: "דילוג לתוכן",
    mainNavigation: "ניווט ראשי",
    menu: "תפריט",
    closeMenu: "סגירת התפריט",
    breadcrumb: "המיקום שלך",
    home: "דף הבית",
    forAgents: (index, markdown) => [
      "לסוכני בינה מלאכותית: מפתח האתר נמצא בכתובת ",
      index,
      ", וגרסת מרקדאון של דף זה בכתובת ",
      markdown,
      ".",
    ],
    languages: "שפות",
    translations: "בשפות נוספות:",
    updated: (day) => ["עודכן: ", day, "."],
    licence: (licence) => ["הטקסטים של העמותה עצמה: ", licence, "."],
    thisPageInMarkdown: "דף זה במרקדאון",
    agentGuide: "לסוכנים",
    feed: "עדכונים",
    contents: "תוכן העניינים",
    table: "טבלה",
    code: "קוד",
    backToNote: (note: string) => `חזרה להערה ${note} בטקסט`,
    pageOfTitle: (page) => `(עמוד ${number(page)})`,
  },

  search: {
    title: "חיפוש",
    titleFor: (text) => `חיפוש: ${text}`,
    description: (site) => `חיפוש באתר ${site}.`,
    site: "חיפוש באתר",
    label: "מה לחפש",
    button: "חיפוש",
    typeLabel: "בתוך",
    typeColumn: "סוג",
    languageColumn: "שפה",
    anyType: "כל האתר",
    results: (count, { isExact, text }) =>
      `${isExact ? "" : "יותר מ־"}${counted(count, { one: "תוצאה אחת", two: "שתי תוצאות", other: "# תוצאות" })} עבור ”${text}”.`,
    distant: "אין קטע תואם; אלה הקרובים ביותר.",
    shortened: "החיפוש כלל רק את המילים המשמעותיות ביותר.",
    nothingFor: (text) => `לא נמצא דבר עבור ”${text}”.`,
    nothingForPart: (text) => `לא נמצא דבר עבור חלק מ־”${text}”.`,
    verbatim: "לחפש בדיוק את זה",
    byKind: "לפי סוג:",
    best: "ההתאמה הטובה ביותר",
    nearest: "הקרובים ביותר",
    all: (kind, count) => `הצגת הכול (${number(count)}): ${kind}`,
    needsScript: "החיפוש כאן דורש JavaScript.",
    advice: "כדאי לנסות פחות מילים או מילים אחרות.",
    browse: "או לעיין כאן:",
    items,
    groups: ({ items: found, name, groups, shown, without }) =>
      `${items(found)} לפי ${name}: ${counted(groups, { one: "קבוצה אחת", two: "שתי קבוצות", other: "# קבוצות" })}${shown === null ? "" : `, להלן ${number(shown)} הגדולות`}${without === 0 ? "" : `; ${number(without)} ללא קבוצה`}.`,
  },

  list: {
    pages: "עמודים",
    letters: "אותיות",
    previous: "העמוד הקודם",
    next: "העמוד הבא",
    page: (page, pages) => `עמוד ${number(page)} מתוך ${number(pages)}`,
    total: (count) => `${count}.`,
    totalAndRange: (count, first, last) => `${count}, כאן ${number(first)} עד ${number(last)}.`,
    range: (first, last) => `${number(first)} עד ${number(last)}.`,
    empty: (plural) => `${plural}: עדיין לא פורסם כאן דבר.`,
    group: (name, count) => `${name} (${number(count)})`,
    rest: (name, count, total) => `${name} (עוד ${number(count)} מתוך ${number(total)})`,
    labelled: (label) => `${label}:`,
    inAllLanguages: (count) => `הכול בכל השפות (${number(count)})`,
    inOtherLanguages: (tags) => `בשפות אחרות: ${list(tags.map(languageName))}`,
    listedBy: (reason) => `מופיע כאן: ${reason}`,
    bestKnown: "הידועים ביותר",
    listedByEditors: "הוכנס לכאן בידי העורכים",
    mostListedBy: (reason) => `מופיעים כאן, אלא אם צוין אחרת: ${reason}.`,
    partListedByEditors: "הוכנסו לכאן בידי העורכים:",
  },

  item: {
    yes: "כן",
    no: "לא",
    described: ({ title, type, site, counts }) =>
      `${title} – ${type}${counts.length === 0 ? "" : ` (${counts.join(", ")})`} באתר ${site}.`,
    dated: (label, day) => `${label} ${day}`,
    verified: "אומת במקורו.",
    attributed: (names) => `מיוחס${to(names)}, לא אומת.`,
    disputed: (names) => `שנוי במחלוקת: הייחוס${to(names)} מוטל בספק.`,
    misattributed: (names) => `מיוחס בטעות${to(names)}.`,
    cite: "ציטוט המקור",
    citeAs: "יש לצטט כך:",
    permalink: "קישור קבוע:",
    report: "דיווח על טעות בדף זה",
  },

  calendar: {
    upcoming: (plural) => `בקרוב: ${plural}`,
    past: (plural) => `בעבר: ${plural}`,
    undated: (plural) => `ללא תאריך: ${plural}`,
    add: "הוספה ליומן",
    subscribe: "הרשמה ליומן",
  },

  timeline: {
    title: "ציר זמן",
    lead: "כל מה שיש לו כאן תאריך, לפי מאות שנים.",
    caption: "מספר הפריטים בכל מאה",
    column: "מאה",
    count: (count) => `פריטים: ${number(count)}`,
    century: (century) => `המאה ה־${number(Math.abs(century))}${century < 0 ? " לפנה״ס" : ""}`,
  },

  home: {
    newest: (plural) => `החדשים ביותר: ${plural}`,
    browse: "עיון",
    sample: (plural) => `מתוך ה${plural}`,
    use: "למה נועד האתר",
    usesAre: (uses, others) =>
      `מתאים ל: ${uses.join("; ")}.${others.length === 0 ? "" : ` לא מתאים ל: ${others.join("; ")}.`}`,
  },

  filters: {
    title: "סינון וסדר",
    chosen: "מסננים פעילים",
    remove: "הסרת המסנן",
    any: "הכול",
    from: "מ־",
    to: "עד",
    language: "שפה",
    sort: "סדר",
    apply: "החלה",
    open: "סינון ומיון",
    sorts: {
      best: "הטובים תחילה",
      title: "לפי כותרת",
      updated: "לפי שינוי אחרון",
      added: "לפי סדר ההוספה",
    },
  },

  quotation: {
    ofTheDay: "הציטוט היומי",
    another: "עוד אחד, באקראי",
    heading: (authors) => (authors.length === 0 ? "ציטוט" : `ציטוט מאת ${list(authors)}`),
    open: "הקשר ומקור",
    context: (work) => `מתוך ${work}`,
    before: "לפניו:",
    after: "אחריו:",
    moreBy: (author) => `עוד מאת ${author}`,
    moreOn: (topic) => `עוד על ${topic}`,
    all: (name) => `כל הציטוטים: ${name}`,
  },

  verification: {
    title: "עד כמה אפשר לסמוך על ציטוט",
    lead: "החותם של ציטוט מציין מה ידוע על מקורו. הוא מתאר את המקור, לא את ערכן של המילים.",
    verified: "המילים נמצאו ביצירה הנזכרת, במקום המצוין.",
    attributed:
      "המילים נפוצות תחת שם זה, אך טרם נמצאו ביצירה כלשהי. ייתכן שהן אמיתיות, מקוצרות או מנוסחות מחדש: יש לבדוק אותן לפני שמצטטים אותן בשם זה.",
    disputed: "יש סיבות לפקפק בכך שהמילים נאמרו בידי אדם זה, והשאלה פתוחה. יש לציין זאת כשמצטטים.",
    misattributed: "ידוע שהמילים הן של אדם אחר או שמקורן אינו ידוע. אין לצטט אותן תחת שם זה.",
    question: "מוכר לך מקור, או סיבה לפקפק?",
  },

  missing: {
    forPrograms: "לתוכנות ולסוכנים:",
    notFound: "404 – הדף לא נמצא",
    withdrawn: "410 – הדף הוסר",
    description: "אין דף בכתובת זו.",
    noPageOf: (path, site) => [path, ` אינו דף של ${site}.`],
    wasPageOf: (path, site, title) => [
      path,
      ` היה דף של ${site}${title === null ? "" : ` (”${title}”)`} והוסר.`,
    ],
    didYouMean: "האם התכוונת ל:",
    startFrom: "אפשר להמשיך מכאן:",
    sitemap: "מפת האתר",
    homePage: "דף הבית",
  },

  opening: { title: "האתר עדיין לא נפתח", text: "הוא ייפתח בקרוב. אפשר לחזור מאוחר יותר." },
  preview: HEBREW_PREVIEW,
  refusals: HEBREW_REFUSALS,
  ...HEBREW_FORMS,
};
