import type { SiteTexts } from "../site/english.ts";

export const CHINESE_PREVIEW: SiteTexts["preview"] = {
  title: "查看草稿",
  enterCode: "输入代码",
  code: "代码",
  codeHint: "以 cplc_ 开头，由编辑提供给您。",
  show: "显示草稿",
  intro:
    "本站的一位作者想在页面公开前给您看。请输入对方给您的代码。在代码失效之前，您可以随时回来再次输入。请勿转给他人。",
  codeMissing: "请输入代码",
  codeWrong: "此代码无效、已过期，或草稿已不存在",
  incomplete: "草稿缺少内容，暂时无法显示。请询问给您代码的人",
};
