import type { TypeTexts } from "../type-texts.ts";

const TOPICS = "נושאים";
const QUOTATIONS = "ציטוטים";
const AUTHORS = "מחברים";
const WORKS = "יצירות";

export const HEBREW_TYPES: Readonly<Record<string, TypeTexts>> = {
  page: {
    label: "דף",
    plural: "דפים",
    description: "דפי העמותה: מי היא, איך פונים אליה, מה היא שומרת.",
    fields: { navigation: { label: "מקום בניווט" } },
    relations: {
      topics: { label: TOPICS, inverse: "דפים" },
      authors: { label: AUTHORS, inverse: "דפים" },
    },
  },
  topic: {
    label: "נושא",
    plural: TOPICS,
    description: "נושאים שתחתיהם מקובצים ציטוטים ויצירות.",
    fields: { aliases: { label: "שמות נוספים" } },
    relations: {
      broader: { label: "נושאים רחבים יותר", inverse: "נושאים מצומצמים יותר" },
      see_also: { label: "ראו גם" },
    },
  },
  author: {
    label: "מחבר",
    plural: AUTHORS,
    description: "אנשים וקבוצות שמיוחסים להם יצירות או ציטוטים.",
    fields: {
      sort_name: { label: "שם למיון" },
      born: { label: "לידה" },
      died: { label: "פטירה" },
      aliases: { label: "מוכר גם בשם" },
      portrait: { label: "דיוקן" },
      portrait_credit: { label: "קרדיט לדיוקן" },
      same_as: { label: "רשומות זהות" },
    },
  },
  work: {
    label: "יצירה",
    plural: WORKS,
    description: "ספרים, מסות, נאומים ויצירות אחרות שמהם לקוחים הציטוטים.",
    fields: {
      kind: {
        label: "סוג",
        values: {
          book: "ספר",
          essay: "מסה",
          speech: "נאום",
          letter: "מכתב",
          article: "מאמר",
          poem: "שיר",
          scripture: "כתבי קודש",
          other: "אחר",
        },
      },
      year: { label: "שנה", description: "שנת הפרסום הראשון." },
      original_language: { label: "שפת המקור" },
      publisher: { label: "הוצאה לאור" },
      isbn: { label: "מסת״ב" },
      source_url: { label: "מקור" },
      licence: { label: "רישיון" },
    },
    relations: {
      authors: { label: AUTHORS, inverse: WORKS },
      part_of: { label: "חלק מתוך", inverse: "חלקים" },
      topics: { label: TOPICS, inverse: WORKS },
    },
  },
  quotation: {
    label: "ציטוט",
    plural: QUOTATIONS,
    description: "קטעים במילותיהם של מחבריהם, עם המקום שממנו נלקחו.",
    fields: {
      locator: { label: "מקום" },
      position: {
        label: "מיקום בסדר",
        description: "מספר הקטע ביצירה. כאשר הוא מצוין, הוא קובע את הסדר ביצירה.",
      },
      year: { label: "שנה" },
      verification: {
        label: "אימות",
        values: {
          verified: "מאומת",
          attributed: "מיוחס",
          disputed: "שנוי במחלוקת",
          misattributed: "מיוחס בטעות",
        },
      },
      featured: { label: "בחירת העורכים" },
      original_text: { label: "נוסח המקור" },
      translator: { label: "תרגום" },
    },
    relations: {
      authors: { label: AUTHORS, inverse: QUOTATIONS },
      work: { label: "יצירה", inverse: QUOTATIONS },
      topics: { label: TOPICS, inverse: QUOTATIONS },
    },
  },
};
