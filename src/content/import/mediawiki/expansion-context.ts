import type { PageName, PageNames } from "./page-names.ts";
import type { ExtensionElement, WikitextPart } from "./wikitext-parts.ts";

/** Context for expanding the templates of one page: names, callbacks, and the remaining limits. */
export interface ExpansionContext {
  names: PageNames;
  page: PageName;
  siteName: string;
  /**
   * The parts of the template with this full title, or of the template to which a page with this title
   * redirects. Undefined: the template is missing.
   */
  templateParts(title: string): readonly WikitextPart[] | undefined;
  /** Whether the dump has a page of this full title. */
  hasPage(title: string): boolean;
  /** Returns the text that replaces an extension element, such as `<ref>`. */
  onExtension(extension: ExtensionElement): string;
  /** Called for each template or function that cannot be evaluated. */
  onUnknown(name: string): void;
  /** Called for each template that is left out because of a limit or because it contains itself. */
  onLimit(name: string): void;
  /** Number of characters that templates can still add. */
  charactersLeft: number;
  /** Number of templates, functions and parameters that can still be evaluated. */
  stepsLeft: number;
}
