/** Years of first publication, by the work's id in the corpus; ancient works have none that is certain. */
export const FIRST_PUBLISHED: Readonly<Record<string, number>> = {
  "ambrose-bierce-the-devils-dictionary": 1911,
  "bertrand-russell-the-problems-of-philosophy": 1912,
  "frederick-douglass-narrative-of-the-life-of-frederick-douglass": 1845,
  "friedrich-nietzsche-beyond-good-and-evil-helen-zimmern": 1886,
  "friedrich-nietzsche-thus-spake-zarathustra-thomas-common": 1883,
  "henry-david-thoreau-walden": 1854,
  "jean-jacques-rousseau-the-social-contract-g-d-h-cole": 1762,
  "john-stuart-mill-on-liberty": 1859,
  "mary-wollstonecraft-a-vindication-of-the-rights-of-woman": 1792,
  "ralph-waldo-emerson-essays": 1841,
  "w-e-b-du-bois-the-souls-of-black-folk": 1903,
  "william-james-the-varieties-of-religious-experience": 1902,
};

/** The languages that translated works were written in, by the work's id in the corpus. */
export const ORIGINAL_LANGUAGES: Readonly<Record<string, string>> = {
  "boethius-the-consolation-of-philosophy-h-r-james": "Latin",
  "epictetus-discourses-george-long": "Greek",
  "epictetus-short-works-george-long": "Greek",
  "friedrich-nietzsche-beyond-good-and-evil-helen-zimmern": "German",
  "friedrich-nietzsche-thus-spake-zarathustra-thomas-common": "German",
  "jean-jacques-rousseau-the-social-contract-g-d-h-cole": "French",
  "laozi-tao-te-ching-james-legge": "Chinese",
  "marcus-aurelius-meditations-george-long": "Greek",
  "plato-dialogues-benjamin-jowett": "Greek",
  "seneca-dialogues-aubrey-stewart": "Latin",
  "sun-tzu-the-art-of-war-lionel-giles": "Chinese",
};
