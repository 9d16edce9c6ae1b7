import type { Wording } from "../../../errors.ts";
import type { AdaptedFile } from "../conventions/adapting.ts";
import type { FrontMatter } from "../front-matter.ts";

/** A parsed Markdown file. */
export interface MarkdownFileContent extends Omit<FrontMatter, "values"> {
  file: string;
  values: Readonly<Record<string, unknown>>;
  linesBefore: number;
  /** Whether the body was converted from HTML. Its line numbers then differ from the file's. */
  isConverted: boolean;
  /** The result of `adaptFile`; null for a file written for this service. */
  adapted: AdaptedFile | null;
  /** Messages about what the conversion from HTML left out. */
  losses: readonly Wording[];
}
