import { formatsOf } from "../formats.ts";
import { CHINESE_FORMS } from "../forms/chinese.ts";
import { CHINESE_PREVIEW } from "../preview/chinese.ts";
import { CHINESE_REFUSALS } from "../refusals/chinese.ts";
import { CHINESE_TYPES } from "../types/chinese.ts";
import type { SiteTextsTranslation } from "./translation.ts";

const { number, list, date, period, languageName } = formatsOf("zh");

const named = (names: readonly string[]) => (names.length === 0 ? "" : list(names));

export const CHINESE_SITE_TEXTS: SiteTextsTranslation = {
  language: "zh",
  types: CHINESE_TYPES,
  number,
  allOf: (parts) => list(parts),
  comma: "、",
  date: (given) =>
    given.year < 0
      ? date(given, given.month === undefined ? `公元前${-given.year}年` : `公元前${-given.year}`)
      : date(given, given.month === undefined ? `${given.year}年` : String(given.year)),
  approximate: (date) => `约${date}`,
  period,
  countOf: (count, { other }) => `${other}：${number(count)}`,

  frame: {
    skip: "跳到正文",
    mainNavigation: "主导航",
    menu: "菜单",
    closeMenu: "关闭菜单",
    breadcrumb: "当前位置",
    home: "首页",
    forAgents: (index, markdown) => [
      "致 AI 代理：本站索引见 ",
      index,
      "，本页的 Markdown 版本见 ",
      markdown,
      "。",
    ],
    languages: "语言",
    translations: "其他语言：",
    updated: (day) => ["更新于", day, "。"],
    licence: (licence) => ["本会自撰文字：", licence, "。"],
    thisPageInMarkdown: "本页的 Markdown 版本",
    agentGuide: "供代理使用",
    feed: "订阅源",
    contents: "目录",
    table: "表格",
    code: "代码",
    backToNote: (note: string) => `返回正文中的注释 ${note}`,
    pageOfTitle: (page) => `（第 ${number(page)} 页）`,
  },

  search: {
    title: "搜索",
    titleFor: (text) => `搜索：${text}`,
    description: (site) => `搜索${site}。`,
    site: "站内搜索",
    label: "搜索内容",
    button: "搜索",
    typeLabel: "范围",
    typeColumn: "类别",
    languageColumn: "语言",
    anyType: "全部",
    results: (count, { isExact, text }) =>
      `“${text}”：${isExact ? "" : "超过 "}${number(count)} 条结果。`,
    distant: "没有完全相符的内容，以下最为接近。",
    shortened: "只搜索了最有意义的词。",
    nothingFor: (text) => `没有找到“${text}”。`,
    nothingForPart: (text) => `没有找到“${text}”中的一部分。`,
    verbatim: "按原样搜索",
    byKind: "按类别：",
    best: "最佳结果",
    nearest: "最接近的结果",
    all: (kind, count) => `查看全部 ${number(count)} 条：${kind}`,
    needsScript: "此处的搜索需要 JavaScript。",
    advice: "请试试更少的词或换用其他词。",
    browse: "或者浏览：",
    items: (count) => `${number(count)} 项`,
    groups: ({ items, name, groups, shown, without }) =>
      `按 ${name} 统计 ${number(items)} 项，共 ${number(groups)} 组${shown === null ? "" : `，以下为最大的 ${number(shown)} 组`}${without === 0 ? "" : `；${number(without)} 项不属于任何组`}。`,
  },

  list: {
    pages: "分页",
    letters: "字母",
    previous: "上一页",
    next: "下一页",
    page: (page, pages) => `第 ${number(page)} 页，共 ${number(pages)} 页`,
    total: (count) => `${count}。`,
    totalAndRange: (count, first, last) =>
      `${count}，本页为第 ${number(first)} 至 ${number(last)} 项。`,
    range: (first, last) => `第 ${number(first)} 至 ${number(last)} 项。`,
    empty: (plural) => `${plural}：尚未发布任何内容。`,
    group: (name, count) => `${name}（${number(count)}）`,
    rest: (name, count, total) => `${name}（其余 ${number(count)} 条，共 ${number(total)} 条）`,
    labelled: (label) => `${label}：`,
    inAllLanguages: (count) => `查看所有语言的全部 ${number(count)} 项`,
    inOtherLanguages: (tags) => `其他语言：${list(tags.map(languageName))}`,
    listedBy: (reason) => `收录依据：${reason}`,
    bestKnown: "最广为人知",
    listedByEditors: "由编辑收录",
    mostListedBy: (reason) => `除另有注明外，收录依据：${reason}。`,
    partListedByEditors: "由编辑收录：",
  },

  item: {
    yes: "是",
    no: "否",
    described: ({ title, type, site, counts }) =>
      `${title}：${site}的${type}${counts.length === 0 ? "" : `（${counts.join("，")}）`}。`,
    dated: (label, day) => `${label} ${day}`,
    verified: "已在出处核实。",
    attributed: (names) => `相传出自${named(names)}，未经核实。`,
    disputed: (names) => `存疑：是否出自${named(names)}尚有争议。`,
    misattributed: (names) => `误传出自${named(names)}。`,
    cite: "引用格式",
    citeAs: "引用格式：",
    permalink: "永久链接：",
    report: "报告本页的错误",
  },

  calendar: {
    upcoming: (plural) => `即将到来的${plural}`,
    past: (plural) => `往期${plural}`,
    undated: (plural) => `日期未定的${plural}`,
    add: "添加到日历",
    subscribe: "订阅日历",
  },

  timeline: {
    title: "年表",
    lead: "本站所有带日期的内容，按世纪排列。",
    caption: "每个世纪的条目数",
    column: "世纪",
    count: (count) => `${number(count)} 条`,
    century: (century) => `${century < 0 ? "公元前" : ""}${Math.abs(century)}世纪`,
  },

  home: {
    newest: (plural) => `最新${plural}`,
    browse: "浏览",
    sample: (plural) => `${plural}选读`,
    use: "本站适用于",
    usesAre: (uses, others) =>
      `适用于：${uses.join("；")}。${others.length === 0 ? "" : `不适用于：${others.join("；")}。`}`,
  },

  filters: {
    title: "筛选与排序",
    chosen: "当前筛选",
    remove: "移除筛选",
    any: "不限",
    from: "从",
    to: "到",
    language: "语言",
    sort: "排序",
    apply: "应用",
    open: "筛选和排序",
    sorts: {
      best: "最佳优先",
      title: "按标题",
      updated: "按最近修改",
      added: "按添加顺序",
    },
  },

  quotation: {
    ofTheDay: "每日引文",
    another: "随机换一条",
    heading: (authors) => (authors.length === 0 ? "引文" : `${list(authors)}的引文`),
    open: "上下文与出处",
    context: (work) => `出自${work}`,
    before: "上文：",
    after: "下文：",
    moreBy: (author) => `${author}的更多引文`,
    moreOn: (topic) => `更多关于${topic}的引文`,
    all: (name) => `全部引文：${name}`,
  },

  verification: {
    title: "引文的可信程度",
    lead: "引文的标记说明其出处的已知情况。它描述来源，而非文字的价值。",
    verified: "已在所列作品的所注位置查到原文。",
    attributed:
      "常以此人之名流传，但尚未在作品中查到。可能是原话，也可能经过删节或改写：引用前请先核实。",
    disputed: "有理由怀疑是否出自此人，尚无定论。引用时请注明。",
    misattributed: "已知出自他人或来源不明。请勿以此人之名引用。",
    question: "您知道出处，或有理由存疑吗？",
  },

  missing: {
    forPrograms: "供程序与代理使用：",
    notFound: "404 – 找不到页面",
    withdrawn: "410 – 页面已撤下",
    description: "此地址没有页面。",
    noPageOf: (path, site) => [path, ` 不是${site}的页面。`],
    wasPageOf: (path, site, title) => [
      path,
      ` 曾是${site}的页面${title === null ? "" : `“${title}”`}，现已撤下。`,
    ],
    didYouMean: "您要找的是：",
    startFrom: "可以从这里继续：",
    sitemap: "网站地图",
    homePage: "首页",
  },

  opening: { title: "本网站尚未开放", text: "即将开放，请稍后再来。" },
  preview: CHINESE_PREVIEW,
  refusals: CHINESE_REFUSALS,
  ...CHINESE_FORMS,
};
