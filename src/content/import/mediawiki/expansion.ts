import type { PageName, PageNames } from "./page-names.ts";
import type { Extension, Part } from "./wikitext-parts.ts";

/** What the expansion of one page needs and leaves. */
export interface Expansion {
  names: PageNames;
  page: PageName;
  siteName: string;
  /** The parts of a template by its full title, also by that of a redirect; undefined: it is missing. */
  templateParts(title: string): readonly Part[] | undefined;
  /** Whether the dump has a page of this full title. */
  hasPage(title: string): boolean;
  /** Returns what stands in the place of an element with rules of its own. */
  onExtension(extension: Extension): string;
  /** Called for each template or function that cannot be evaluated. */
  onUnknown(name: string): void;
  /** Called for each template that is left out at a limit, or because it is within itself. */
  onLimit(name: string): void;
  /** Characters that templates may still add. */
  charactersLeft: number;
  /** Templates, functions and parameters that may still be evaluated. */
  stepsLeft: number;
}
