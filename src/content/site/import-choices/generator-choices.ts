/**
 * The site generators that a person can choose for a folder. `none` is for a folder of this service, which
 * belongs to no generator.
 */
export const GENERATOR_CHOICES = [
  ...(["zola", "hugo", "docusaurus", "astro", "vitepress", "vuepress", "mkdocs"] as const),
  ...(["mdbook", "eleventy", "hexo", "jekyll", "pelican", "nikola", "obsidian"] as const),
  ...(["next.js", "gatsby", "nuxt", "html", "markdown", "none"] as const),
];

export type GeneratorChoice = (typeof GENERATOR_CHOICES)[number];

/**
 * The options of the import. Besides a generator, a person can choose `detect`: the saved choice is
 * forgotten, and the program is recognised again.
 */
export const GENERATOR_OPTIONS = ["detect", ...GENERATOR_CHOICES] as const;

export type GeneratorOption = (typeof GENERATOR_OPTIONS)[number];
