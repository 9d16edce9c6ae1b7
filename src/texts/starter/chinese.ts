import type { StarterTexts } from "./english.ts";

export const CHINESE_STARTER: StarterTexts = {
  language: "zh",
  site: {
    name: "新网站",
    description: "刚刚建立、尚未介绍的网站。",
    purpose: "了解本协会发布的内容",
  },
  withSiteName: {
    description: (name) => `${name}发布的内容，供读者和研究代理查阅。`,
    home: (name) => `这是${name}的网站。网站刚刚建立。`,
  },
  home: {
    title: "新网站",
    summary: "本网站刚刚建立。",
    body: "编辑将在这里说明网站的用途。请阅读[关于我们](/about)，或[给我们写信](/contact)。",
  },
  about: {
    path: "/about",
    title: "关于我们",
    summary: "本网站由谁发布。",
    body: "编辑将在这里介绍自己和工作方式。",
  },
  contact: {
    title: "联系我们",
    summary: "如何联系编辑，以及如何申请 MCP 服务的密钥。",
    body: "编辑将在这里说明谁会阅读您的来信。阅读不需要密钥；希望通过 MCP 服务检索的研究代理需要密钥。请使用下面的表单。",
  },
  privacy: {
    path: "/privacy",
    title: "隐私",
    summary: "本网站保存哪些访客信息。",
    body: "本网站不使用 Cookie，也不在您的浏览器中运行脚本。服务器可能保存请求日志，用于发现故障和滥用。搜索词按天统计，不含任何能说明搜索者身份的信息，保存 90 天。\n\n您通过[联系页面](/contact)的表单发送的内容会被保存以便答复：您的姓名、电子邮箱和留言，或申请密钥时提供的机构和任务信息。最后一次处理满一年后，这些内容会被删除。如果您获得密钥，您的姓名、地址和任务会与密钥一同保存。您的网络地址在内存中保留一小时，用于防止滥用。",
  },
  imprint: {
    path: "/imprint",
    title: "发布者信息",
    summary: "谁对本网站负责。",
    body: "协会名称  \n邮政编码和城市  \n街道和门牌号\n\n代表人：…  \n电子邮箱：…  \n登记机关和编号：…\n\n内容负责人：…",
  },
  accessibility: {
    path: "/accessibility",
    title: "无障碍声明",
    summary: "本网站的无障碍程度，以及遇到障碍时向谁反映。",
    body: "本声明于 … 经 … 审查后编制。\n\n## 可以做到的\n\n页面不需要脚本，可以用键盘操作，遵循您设备的颜色和字号，并标明每段文字的语言。\n\n## 尚未做到的\n\n请在这里列出已知的问题，例如没有替代文字的图片或无法朗读的文档。\n\n## 告诉我们\n\n如果您遇到障碍，请[给我们写信](/contact)，我们将在 … 内答复。如果没有答复，您可以向 … 反映。",
  },
};
