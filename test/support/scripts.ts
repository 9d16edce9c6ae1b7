/** Words in each script that pictures for link previews are drawn in, with a source. */
export const SCRIPTS: readonly [language: string, words: string, source: string][] = [
  ["en", "I had three chairs in my house one for solitude & <two> for friendship", "H. D. Thoreau"],
  ["el", "ἓν οἶδα ὅτι οὐδὲν οἶδα γνῶθι σεαυτόν μηδὲν ἄγαν", "Σωκράτης"],
  ["ru", "все счастливые семьи похожи друг на друга каждая несчастливая", "Лев Толстой"],
  ["ar", "العلم في الصغر كالنقش على الحجر ومن جد وجد ومن زرع حصد", "مثل عربي"],
  ["he", "אם אין אני לי מי לי וכשאני לעצמי מה אני ואם לא עכשיו אימתי", "הלל הזקן"],
  ["zh", "千里之行始於足下知人者智自知者明", "老子"],
  ["ja", "古池や蛙飛び込む水の音夏草や兵どもが夢の跡", "松尾芭蕉"],
];
