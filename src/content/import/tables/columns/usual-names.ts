/** Common column names for each property of an item. */
export const ITEM_PROPERTY_COLUMN_NAMES: Readonly<Record<string, string>> = {
  title:
    "title|titel|name|headline|heading|überschrift|betreff|subject|bezeichnung|label|titre|nom|título|nombre|titolo",
  body: "body|text|content|inhalt|artikel|article|beitrag|volltext|full text|fließtext|texte|contenu|texto|contenido|testo",
  summary:
    "summary|abstract|description|beschreibung|zusammenfassung|kurzbeschreibung|kurztext|teaser|excerpt|auszug|résumé|resumen|untertitel",
  publishedAt:
    "published at|published|publication date|date published|date|datum|veröffentlicht|veröffentlicht am|veröffentlichungsdatum|erschienen|erschienen am|pubdate|fecha|data",
  expireAt: "expires|expire at|expiry date|ablaufdatum|gültig bis|valid until",
  language: "language|lang|sprache|langue|idioma|lingua|locale",
  status:
    "status|state|zustand|sichtbarkeit|visibility|published?|veröffentlicht?|öffentlich|public",
  redirectFrom:
    "old address|old url|old path|former address|former url|alte adresse|alte url|frühere adresse|redirect from|permalink|url|link|adresse|address|webadresse",
  translationOf: "translation of|übersetzung von|traduction de|traducción de",
  slug: "slug|kürzel der adresse",
  path: "path|pfad",
  key: "id|key|nr|no|number|nummer|num|lfd nr|laufende nummer|schlüssel|kennung|uid|guid|#|code|ref|signatur",
  sourceKey: "sourcekey|source key",
};

/** Common names of columns that link to items, keyed by the type of the linked items. */
export const RELATION_COLUMN_NAMES: Readonly<Record<string, string>> = {
  author:
    "author|authors|autor|autoren|autorin|autorinnen|von|by|verfasser|verfasserin|writer|urheber|person|speaker|wer|auteur|auteurs|autores|autore|said by|quelle person|book author",
  work: "work|werk|book|buch|book title|buchtitel|source|quelle|from|aus|titel des werks|source title|œuvre|livre|obra|libro|opera",
  topic:
    "topic|topics|thema|themen|tag|tags|category|categories|kategorie|kategorien|schlagwort|schlagworte|schlagwörter|stichwort|stichworte|keyword|keywords|rubrik|subject headings|thème|thèmes|tema|temas",
};

/** Common column names for fields of built-in types and for fields that sites often declare. */
export const FIELD_COLUMN_NAMES: Readonly<Record<string, string>> = {
  year: "year|jahr|erscheinungsjahr|année|año|anno|yr",
  locator:
    "locator|page|pages|seite|seiten|s|p|pp|fundstelle|stelle|chapter|kapitel|vers|verse|place in work|location",
  verification: "verification|verified|beleg|belegt|geprüft|prüfstatus",
  translator: "translator|übersetzer|übersetzerin|übersetzung|translated by",
  original_text: "original|original text|originaltext|originalzitat|wortlaut im original",
  publisher: "publisher|verlag|herausgeber|éditeur",
  isbn: "isbn|isbn 13",
  kind: "kind|art|gattung|genre",
  source_url: "source url|url|link|online|web|fundort im netz",
  licence: "licence|license|lizenz",
  born: "born|birth|geboren|geburtsdatum|geburtsjahr|date of birth|geb",
  died: "died|death|gestorben|todesdatum|sterbejahr|todesjahr|gest",
  sort_name: "sort name|sortiername|nachname vorname",
  aliases: "aliases|alias|also known as|auch bekannt als|auch genannt|synonyme|synonyms",
  broader: "broader|parent|oberbegriff|übergeordnet|übergeordnetes thema",
  see_also: "see also|related|siehe auch|verwandt",
  date: "date|datum|day|tag der veröffentlichung",
  start: "start|begin|beginn|anfang|von|date|datum|start date|startdatum",
  end: "end|ende|bis|end date|enddatum",
  place: "place|location|venue|ort|veranstaltungsort|lieu|lugar",
};

/**
 * Column names that reveal the type of a table's rows, by type. `place` is the target of a column with such a
 * name.
 */
export const TYPE_REVEALING_COLUMN_NAMES: Readonly<
  Record<string, readonly [place: string, names: string]>
> = {
  quotation: [
    "body",
    "quote|quotes|quotation|highlight|zitat|zitate|zitattext|citation|cita|citazione|passage",
  ],
  author: ["title", "author|autor|autorin|full name|vollständiger name|person"],
  topic: ["title", "topic|thema|schlagwort|keyword|kategorie|category"],
  work: ["title", "work|werk|book|buch|book title|buchtitel|werktitel"],
};
