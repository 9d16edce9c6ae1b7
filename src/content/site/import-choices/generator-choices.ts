/**
 * The site generators that a person can choose for an imported folder. `none`: it is a site folder
 * of this service.
 */
export const GENERATOR_CHOICES = [
  ...(["zola", "hugo", "docusaurus", "astro", "vitepress", "vuepress", "mkdocs"] as const),
  ...(["mdbook", "eleventy", "hexo", "jekyll", "pelican", "nikola", "obsidian"] as const),
  ...(["next.js", "gatsby", "nuxt", "html", "markdown", "none"] as const),
];

export type GeneratorChoice = (typeof GENERATOR_CHOICES)[number];

/**
 * The values of the import's generator option. `detect` discards the saved choice and detects the
 * generator again.
 */
export const GENERATOR_CHOICES_OR_DETECT = ["detect", ...GENERATOR_CHOICES] as const;

export type GeneratorChoiceOrDetect = (typeof GENERATOR_CHOICES_OR_DETECT)[number];
