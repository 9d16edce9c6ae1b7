import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import {
  type BrowserScript,
  buildBrowserScript,
  buildBrowserScriptFromText,
} from "../../../../files/browser-script.ts";

const SCRIPTS_FOLDER = "/admin";
const TOOLBAR_PACKAGE = "@github/markdown-toolbar-element";

const FRAME = bundledScript("frame");
const APPEARANCE = bundledScript("appearance");
const ENDED_DRAFT = bundledScript("ended");
const JOBS = bundledScript("jobs");
const MEDIA = bundledScript("media");
const PASSKEYS = bundledScript("passkeys");
const PICKER = bundledScript("picker");
const FAULTS = bundledScript("faults");
const UPLOADING = bundledScript("uploading");
const EDITOR = [
  ...[FAULTS, UPLOADING, PICKER],
  ...["form-values", "text-merging", "form-merging", "editor", "writing"].map(bundledScript),
  ...["inserting", "pictures", "preview", "presence"].map(bundledScript),
  buildBrowserScriptFromText(
    readFileSync(createRequire(import.meta.url).resolve(TOOLBAR_PACKAGE), "utf8"),
    {
      name: "toolbar",
      folder: SCRIPTS_FOLDER,
    },
  ),
];

export const FRAME_SCRIPT_PATH = FRAME.path;
export const APPEARANCE_SCRIPT_PATH = APPEARANCE.path;
export const ENDED_DRAFT_SCRIPT_PATH = ENDED_DRAFT.path;
export const JOBS_SCRIPT_PATH = JOBS.path;
export const MEDIA_SCRIPT_PATH = MEDIA.path;
export const PASSKEYS_SCRIPT_PATH = PASSKEYS.path;
export const PICKER_SCRIPT_PATH = PICKER.path;
export const EDITOR_SCRIPT_PATHS = EDITOR.map(({ path }) => path);

/** Source texts of the scripts and of all they import, keyed by path. */
export const SCRIPT_SOURCES_BY_PATH: ReadonlyMap<string, string> = new Map(
  [FRAME, APPEARANCE, ENDED_DRAFT, JOBS, MEDIA, PASSKEYS, ...EDITOR]
    .flatMap(withImports)
    .map(({ path, text }) => [path, text]),
);

function withImports(script: BrowserScript): BrowserScript[] {
  return [script, ...script.imports.flatMap(withImports)];
}

function bundledScript(name: string) {
  return buildBrowserScript(new URL(`../../browser/${name}.ts`, import.meta.url), SCRIPTS_FOLDER);
}
