import type { Actor } from "../access/actor.ts";
import { resolveGeneratorChoice } from "../content/import/conventions/site-generators.ts";
import type { ImportTotals } from "../content/import/import-events.ts";
import type { ContentRecord } from "../content/record.ts";
import type { GeneratorChoiceOrDetect } from "../content/site/import-choices/generator-choices.ts";
import type { SourceChoices } from "../content/site/import-choices/source-choices.ts";
import { saveSourceChoices } from "../content/site/import-choices/source-choices-saving.ts";
import type { Wording } from "../errors.ts";
import { trackVisibilityChanges } from "./folders/visibility-notes.ts";
import { type ContentImportOptions, importContent } from "./import-content.ts";
import type { ImportFiles } from "./import-files.ts";
import type { TableAndBibliographyOptions } from "./open-tables.ts";
import type { WordPressChoices } from "./wordpress/open-wordpress.ts";

/**
 * The choices given for this import. A choice that is absent defaults to the choice saved by the last
 * import from the same source.
 */
export interface GivenImportChoices {
  /** The name of the folder or file, under which the site saves its choices. */
  source: string;
  as?: readonly string[];
  generator?: GeneratorChoiceOrDetect;
  sheet?: string;
}

type OtherOptions = Omit<ContentImportOptions, "generator" | "wordpress" | "tables"> & {
  uploads: WordPressChoices["uploads"];
  tables: Omit<TableAndBibliographyOptions, "sheet">;
};

/**
 * Like {@link importContent}. Choices that are not given default to the saved choices. Saves the
 * resulting choices.
 */
export async function importWithSavedChoices(
  record: ContentRecord,
  actor: Actor,
  sources: readonly ImportFiles[],
  { given, uploads, tables, ...options }: OtherOptions & { given: GivenImportChoices },
): Promise<ImportTotals> {
  const { source: name } = given;
  const saved = (await record.site())?.sources?.[name] ?? {};
  const choices = mergedChoices(given, saved);
  const reused = reusedChoices(saved, given);
  if (reused.length > 0) options.events.onNote?.(reusedChoicesNote(name, reused));
  const { as = [], generator, sheet } = choices;
  const visibility = trackVisibilityChanges(options.events);
  const totals = await importContent(record, actor, sources, {
    ...{ ...options, events: visibility.events },
    ...(generator === undefined ? {} : { generator }),
    wordpress: { as, uploads },
    tables: { ...tables, ...(sheet === undefined ? {} : { sheet }) },
  });
  visibility.report();
  await saveSourceChoices(record, actor, { name, choices }, options.now);
  return totals;
}

function mergedChoices(given: GivenImportChoices, saved: SourceChoices): SourceChoices {
  const { as = [], generator = "detect", sheet } = { ...saved, ...given };
  return {
    ...(as.length === 0 ? {} : { as: [...as] }),
    ...(generator === "detect" ? {} : { generator }),
    ...(sheet === undefined ? {} : { sheet }),
  };
}

/** Describes the saved choices that apply because no others were given. */
function reusedChoices(
  { as, generator, sheet }: SourceChoices,
  given: GivenImportChoices,
): string[] {
  const program =
    generator === undefined ? null : (resolveGeneratorChoice(generator)?.name ?? "Commonplace");
  return [
    ...(given.as === undefined ? (as ?? []) : []),
    ...(given.generator === undefined && program !== null ? [program] : []),
    ...(given.sheet === undefined && sheet !== undefined ? [sheet] : []),
  ];
}

function reusedChoicesNote(name: string, reused: readonly string[]): Wording {
  const list = reused.join(", ");
  return {
    en: `As last time, "${name}" is read with ${list}; choose anew to change that`,
    de: `Wie beim letzten Mal wird „${name}“ mit ${list} gelesen; wählen Sie neu, um das zu ändern`,
  };
}
