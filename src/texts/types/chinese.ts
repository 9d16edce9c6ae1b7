import type { TypeTexts } from "../type-texts.ts";

const TOPICS = "主题";
const QUOTATIONS = "引文";
const AUTHORS = "作者";
const WORKS = "作品";

export const CHINESE_TYPES: Readonly<Record<string, TypeTexts>> = {
  page: {
    label: "页面",
    plural: "页面",
    description: "本会自己的页面：我们是谁，如何联系，保存什么。",
    fields: { navigation: { label: "导航位置" } },
    relations: {
      topics: { label: TOPICS, inverse: "页面" },
      authors: { label: AUTHORS, inverse: "页面" },
    },
  },
  topic: {
    label: "主题",
    plural: TOPICS,
    description: "引文与作品按主题汇集。",
    fields: { aliases: { label: "又称" } },
    relations: {
      broader: { label: "上级主题", inverse: "下级主题" },
      see_also: { label: "参见" },
    },
  },
  author: {
    label: "作者",
    plural: AUTHORS,
    description: "作品或引文所归属的个人与团体。",
    fields: {
      sort_name: { label: "排序名" },
      born: { label: "生于" },
      died: { label: "卒于" },
      aliases: { label: "别名" },
      portrait: { label: "肖像" },
      portrait_credit: { label: "肖像来源" },
      same_as: { label: "规范记录" },
    },
  },
  work: {
    label: "作品",
    plural: WORKS,
    description: "引文所出自的书籍、文章、演讲及其他作品。",
    fields: {
      kind: {
        label: "体裁",
        values: {
          book: "书籍",
          essay: "随笔",
          speech: "演讲",
          letter: "书信",
          article: "文章",
          poem: "诗歌",
          scripture: "经典",
          other: "其他",
        },
      },
      year: { label: "年份", description: "首次出版的年份。" },
      original_language: { label: "原文语言" },
      publisher: { label: "出版者" },
      isbn: { label: "国际标准书号" },
      source_url: { label: "来源" },
      licence: { label: "许可" },
    },
    relations: {
      authors: { label: AUTHORS, inverse: WORKS },
      part_of: { label: "属于", inverse: "各部分" },
      topics: { label: TOPICS, inverse: WORKS },
    },
  },
  quotation: {
    label: "引文",
    plural: QUOTATIONS,
    description: "作者原话的片段，并注明出处。",
    fields: {
      locator: { label: "位置" },
      position: {
        label: "顺序",
        description: "该段在著作中的序号。如已注明，则决定其在著作中的顺序。",
      },
      year: { label: "年份" },
      verification: {
        label: "核实",
        values: {
          verified: "已核实",
          attributed: "相传",
          disputed: "存疑",
          misattributed: "误传",
        },
      },
      featured: { label: "编辑推荐" },
      original_text: { label: "原文" },
      translator: { label: "译者" },
    },
    relations: {
      authors: { label: AUTHORS, inverse: QUOTATIONS },
      work: { label: "作品", inverse: QUOTATIONS },
      topics: { label: TOPICS, inverse: QUOTATIONS },
    },
  },
};
