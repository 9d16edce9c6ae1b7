import type { PreferredSide } from "../content/editing/imported/saving-imports.ts";
import type { GeneratorChoiceOrDetect } from "../content/site/import-choices/generator-choices.ts";

/** The flags of the command `import`, as commander parses them. */
export interface ImportFlags {
  publish?: boolean;
  draft?: boolean;
  dryRun?: boolean;
  lenient?: boolean;
  /** The side that wins where an item was changed both on the site and in the file. */
  prefer?: NonNullable<PreferredSide>;
  json?: boolean;
  /** Path of the table with the whole report. */
  report?: string;
  /** How to map the post types of other systems, such as `post=page`. */
  as?: string[];
  /** The site generator that the imported folders were written for. */
  generator?: GeneratorChoiceOrDetect;
  /** The folder with the uploads of a WordPress site. */
  media?: string;
  fetch?: boolean;
  /** For tables: the target of each column, such as `Titel=title`. */
  map?: string[];
  /** For tables: a file with a mapping. */
  mapping?: string;
  /** For tables and bibliographies: the content type of the rows or entries. */
  type?: string;
  /** For workbooks: the sheet to read. */
  sheet?: string;
}
