import type { TypeTexts } from "../type-texts.ts";

const TOPICS = "الموضوعات";
const QUOTATIONS = "الاقتباسات";
const AUTHORS = "المؤلفون";
const WORKS = "الأعمال";

export const ARABIC_TYPES: Readonly<Record<string, TypeTexts>> = {
  page: {
    label: "صفحة",
    plural: "الصفحات",
    description: "صفحات الجمعية نفسها: من هي، وكيف تتصل بها، وماذا تحفظ.",
    fields: { navigation: { label: "الموضع في التنقل" } },
    relations: {
      topics: { label: TOPICS, inverse: "الصفحات" },
      authors: { label: AUTHORS, inverse: "الصفحات" },
    },
  },
  topic: {
    label: "موضوع",
    plural: TOPICS,
    description: "ما تُجمع تحته الاقتباسات والأعمال.",
    fields: { aliases: { label: "أسماء أخرى" } },
    relations: {
      broader: { label: "موضوعات أعم", inverse: "موضوعات أخص" },
      see_also: { label: "انظر أيضًا" },
    },
  },
  author: {
    label: "مؤلف",
    plural: AUTHORS,
    description: "أشخاص وهيئات تُنسب إليهم أعمال أو اقتباسات.",
    fields: {
      sort_name: { label: "اسم الترتيب" },
      born: { label: "الميلاد" },
      died: { label: "الوفاة" },
      aliases: { label: "أسماء أخرى" },
      portrait: { label: "الصورة الشخصية" },
      portrait_credit: { label: "مصدر الصورة" },
      same_as: { label: "سجلات ضبط الاستناد" },
    },
  },
  work: {
    label: "عمل",
    plural: WORKS,
    description: "كتب ومقالات وخطب وأعمال أخرى منها الاقتباسات.",
    fields: {
      kind: {
        label: "النوع",
        values: {
          book: "كتاب",
          essay: "مقالة",
          speech: "خطبة",
          letter: "رسالة",
          article: "مقال",
          poem: "قصيدة",
          scripture: "كتاب مقدس",
          other: "غير ذلك",
        },
      },
      year: { label: "السنة", description: "سنة النشر الأول." },
      original_language: { label: "اللغة الأصلية" },
      publisher: { label: "الناشر" },
      isbn: { label: "الرقم الدولي للكتاب" },
      source_url: { label: "المصدر" },
      licence: { label: "الرخصة" },
    },
    relations: {
      authors: { label: AUTHORS, inverse: WORKS },
      part_of: { label: "جزء من", inverse: "الأجزاء" },
      topics: { label: TOPICS, inverse: WORKS },
    },
  },
  quotation: {
    label: "اقتباس",
    plural: QUOTATIONS,
    description: "مقاطع بكلمات أصحابها، مع الموضع الذي أُخذت منه.",
    fields: {
      locator: { label: "الموضع" },
      position: {
        label: "الترتيب",
        description: "رقم المقطع في العمل. إذا ذُكر فهو يحدد الترتيب داخل العمل.",
      },
      year: { label: "السنة" },
      verification: {
        label: "التوثيق",
        values: {
          verified: "موثَّق",
          attributed: "منسوب",
          disputed: "مختلف فيه",
          misattributed: "منسوب خطأً",
        },
      },
      featured: { label: "اختيار المحررين" },
      original_text: { label: "النص الأصلي" },
      translator: { label: "المترجم" },
    },
    relations: {
      authors: { label: AUTHORS, inverse: QUOTATIONS },
      work: { label: "العمل", inverse: QUOTATIONS },
      topics: { label: TOPICS, inverse: QUOTATIONS },
    },
  },
};
