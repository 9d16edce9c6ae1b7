import { formatsOf } from "../formats.ts";
import { ARABIC_FORMS } from "../forms/arabic.ts";
import { ARABIC_PREVIEW } from "../preview/arabic.ts";
import { ARABIC_REFUSALS } from "../refusals/arabic.ts";
import { ARABIC_TYPES } from "../types/arabic.ts";
import type { SiteTextsTranslation } from "./translation.ts";

const { number, counted, list, date, period, languageName } = formatsOf("ar");

const items = (count: number) =>
  counted(count, {
    zero: "لا مواد",
    one: "مادة واحدة",
    two: "مادتان",
    few: "# مواد",
    many: "# مادة",
    other: "# مادة",
  });
const to = (names: readonly string[]) => (names.length === 0 ? "" : ` إلى ${list(names)}`);

export const ARABIC_SITE_TEXTS: SiteTextsTranslation = {
  language: "ar",
  types: ARABIC_TYPES,
  number,
  allOf: (parts) => list(parts),
  comma: "، ",
  date: (given) => date(given, given.year < 0 ? `${-given.year} ق.م.` : String(given.year)),
  approximate: (date) => `نحو ${date}`,
  period,
  countOf: (count, { other }) => `${other}: ${number(count)}`,

  frame: {
    skip: "انتقل إلى المحتوى",
    mainNavigation: "التنقل الرئيسي",
    menu: "القائمة",
    closeMenu: "إغلاق القائمة",
    breadcrumb: "موقعك",
    home: "الرئيسية",
    forAgents: (index, markdown) => [
      "لوكلاء الذكاء الاصطناعي: فهرس هذا الموقع في ",
      index,
      "، ونسخة ماركداون من هذه الصفحة في ",
      markdown,
      ".",
    ],
    languages: "اللغات",
    translations: "بلغات أخرى:",
    updated: (day) => ["آخر تحديث: ", day, "."],
    licence: (licence) => ["نصوص الجمعية نفسها: ", licence, "."],
    thisPageInMarkdown: "هذه الصفحة بصيغة ماركداون",
    agentGuide: "للوكلاء",
    feed: "خلاصة التحديثات",
    contents: "المحتويات",
    table: "جدول",
    code: "شيفرة",
    backToNote: (note: string) => `العودة إلى الحاشية ${note} في النص`,
    pageOfTitle: (page) => `(الصفحة ${number(page)})`,
  },

  search: {
    title: "البحث",
    titleFor: (text) => `البحث: ${text}`,
    description: (site) => `ابحث في ${site}.`,
    site: "البحث في الموقع",
    label: "ابحث عن",
    button: "بحث",
    typeLabel: "في",
    typeColumn: "النوع",
    languageColumn: "اللغة",
    anyType: "كل الأقسام",
    results: (count, { isExact, text }) =>
      `${isExact ? "" : "أكثر من "}${counted(count, { zero: "لا نتائج", one: "نتيجة واحدة", two: "نتيجتان", few: "# نتائج", many: "# نتيجة", other: "# نتيجة" })} عن «${text}».`,
    distant: "لا توجد عبارة مطابقة؛ وهذه أقرب النتائج.",
    shortened: "شمل البحث أبرز الكلمات فقط.",
    nothingFor: (text) => `لم يُعثر على شيء عن «${text}».`,
    nothingForPart: (text) => `لم يُعثر على شيء عن جزء من «${text}».`,
    verbatim: "ابحث عن هذا تمامًا",
    byKind: "حسب النوع:",
    best: "أفضل نتيجة",
    nearest: "الأقرب",
    all: (kind, count) => `عرض الكل (${number(count)}): ${kind}`,
    needsScript: "يحتاج البحث هنا إلى جافاسكريبت.",
    advice: "جرّب كلمات أقل أو غيرها.",
    browse: "أو تصفّح:",
    items,
    groups: ({ items: found, name, groups, shown, without }) =>
      `${items(found)} حسب ${name}: ${counted(groups, { one: "مجموعة واحدة", two: "مجموعتان", few: "# مجموعات", other: "# مجموعة" })}${shown === null ? "" : `، وهذه أكبر ${number(shown)}`}${without === 0 ? "" : `؛ ${number(without)} خارجها`}.`,
  },

  list: {
    pages: "الصفحات",
    letters: "الحروف",
    previous: "الصفحة السابقة",
    next: "الصفحة التالية",
    page: (page, pages) => `الصفحة ${number(page)} من ${number(pages)}`,
    total: (count) => `${count}.`,
    totalAndRange: (count, first, last) =>
      `${count}، وهنا من ${number(first)} إلى ${number(last)}.`,
    range: (first, last) => `من ${number(first)} إلى ${number(last)}.`,
    empty: (plural) => `${plural}: لم يُنشر شيء هنا بعد.`,
    group: (name, count) => `${name} (${number(count)})`,
    rest: (name, count, total) => `${name} (${number(count)} أخرى من أصل ${number(total)})`,
    labelled: (label) => `${label}:`,
    inAllLanguages: (count) => `الكل بجميع اللغات (${number(count)})`,
    inOtherLanguages: (tags) => `بلغات أخرى: ${list(tags.map(languageName))}`,
    listedBy: (reason) => `أُدرج هنا: ${reason}`,
    bestKnown: "الأشهر",
    listedByEditors: "أدرجه المحررون هنا",
    mostListedBy: (reason) => `أُدرجت هنا، ما لم يُذكر غير ذلك: ${reason}.`,
    partListedByEditors: "أدرجها المحررون هنا:",
  },

  item: {
    yes: "نعم",
    no: "لا",
    described: ({ title, type, site, counts }) =>
      `${title} – ${type}${counts.length === 0 ? "" : ` (${counts.join("، ")})`} في ${site}.`,
    dated: (label, day) => `${label} ${day}`,
    verified: "تم التحقق منه في مصدره.",
    attributed: (names) => `منسوب${to(names)}، ولم يُتحقق منه.`,
    disputed: (names) => `مختلف فيه: نسبته${to(names)} موضع شك.`,
    misattributed: (names) => `منسوب خطأً${to(names)}.`,
    cite: "اقتبس",
    citeAs: "صيغة الإحالة:",
    permalink: "الرابط الدائم:",
    report: "أبلغ عن خطأ في هذه الصفحة",
  },

  calendar: {
    upcoming: (plural) => `قريبًا: ${plural}`,
    past: (plural) => `سابقًا: ${plural}`,
    undated: (plural) => `بلا تاريخ: ${plural}`,
    add: "أضف إلى تقويمك",
    subscribe: "اشترك في التقويم",
  },

  timeline: {
    title: "الخط الزمني",
    lead: "كل ما له تاريخ هنا، مرتبًا حسب القرون.",
    caption: "عدد المواد في كل قرن",
    column: "القرن",
    count: (count) => `عدد المواد: ${number(count)}`,
    century: (century) => `القرن ${number(Math.abs(century))}${century < 0 ? " ق.م." : ""}`,
  },

  home: {
    newest: (plural) => `أحدث ${plural}`,
    browse: "تصفّح",
    sample: (plural) => `من ${plural}`,
    use: "فيمَ يفيد هذا الموقع",
    usesAre: (uses, others) =>
      `يفيد في: ${uses.join("؛ ")}.${others.length === 0 ? "" : ` ولا يفيد في: ${others.join("؛ ")}.`}`,
  },

  filters: {
    title: "التصفية والترتيب",
    chosen: "عوامل التصفية الحالية",
    remove: "أزل عامل التصفية",
    any: "الكل",
    from: "من",
    to: "إلى",
    language: "اللغة",
    sort: "الترتيب",
    apply: "طبّق",
    open: "تصفية وترتيب",
    sorts: {
      best: "الأفضل أولًا",
      title: "حسب العنوان",
      updated: "حسب آخر تعديل",
      added: "حسب ترتيب الإضافة",
    },
  },

  quotation: {
    ofTheDay: "اقتباس اليوم",
    another: "اقتباس آخر عشوائي",
    heading: (authors) => (authors.length === 0 ? "اقتباس" : `اقتباس من ${list(authors)}`),
    open: "السياق والإحالة",
    context: (work) => `في ${work}`,
    before: "قبله:",
    after: "بعده:",
    moreBy: (author) => `المزيد من ${author}`,
    moreOn: (topic) => `المزيد عن ${topic}`,
    all: (name) => `كل الاقتباسات: ${name}`,
  },

  verification: {
    title: "إلى أي حد يوثق بالاقتباس",
    lead: "ختم الاقتباس يبيّن ما يُعرف عن مصدره. وهو يصف المصدر لا قيمة الكلام.",
    verified: "وُجد الكلام في العمل المذكور وفي الموضع المبيَّن.",
    attributed:
      "يشيع الكلام بهذا الاسم ولم يُعثر عليه في عمل بعد. قد يكون صحيحًا أو مختصرًا أو معاد الصياغة: تحقق منه قبل أن تنقله على أنه لصاحبه.",
    disputed: "ثمة أسباب للشك في نسبة الكلام إلى صاحبه، والمسألة مفتوحة. نبّه إلى ذلك إذا نقلته.",
    misattributed: "من المعروف أن الكلام لغيره أو مجهول الأصل. لا تنقله بهذا الاسم.",
    question: "هل تعرف مصدرًا أو سببًا للشك؟",
  },

  missing: {
    forPrograms: "للبرامج والوكلاء:",
    notFound: "404 – الصفحة غير موجودة",
    withdrawn: "410 – الصفحة مسحوبة",
    description: "لا توجد صفحة في هذا العنوان.",
    noPageOf: (path, site) => [path, ` ليس من صفحات ${site}.`],
    wasPageOf: (path, site, title) => [
      path,
      ` كان من صفحات ${site}${title === null ? "" : ` («${title}»)`} وقد سُحب.`,
    ],
    didYouMean: "هل تقصد:",
    startFrom: "تابع من هنا:",
    sitemap: "خريطة الموقع",
    homePage: "الصفحة الرئيسية",
  },

  opening: { title: "لم يُفتح هذا الموقع بعد", text: "سيُفتح قريبًا. يرجى العودة لاحقًا." },
  preview: ARABIC_PREVIEW,
  refusals: ARABIC_REFUSALS,
  ...ARABIC_FORMS,
};
