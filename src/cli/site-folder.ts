import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import type { LookName } from "../content/site/look/look.ts";
import { PLACEHOLDER_EMAIL } from "../content/site/starter-site.ts";
import { starterTexts } from "../texts/starter/starter-texts.ts";
import { VERSION } from "../version.ts";

/** The settings of a new site. */
export interface NewSiteSettings {
  name: string;
  /** An origin, such as `https://quotations.example`. */
  address: string;
  /** BCP 47. */
  language: string;
  timeZone: string;
  look: LookName;
  withDemo: boolean;
}

const DEMO_TYPES_FOLDER = join(import.meta.dirname, "../../demo/types");

/** The contents of the files of a new site folder, keyed by relative path. */
export function buildSiteFolderFiles(site: NewSiteSettings): Record<string, string> {
  return {
    "package.json": `${JSON.stringify(manifest(), null, 2)}\n`,
    ".env": environment(site),
    ".gitignore": "node_modules/\n/data/\n",
    "README.md": readme(site),
    "site.yaml": profile(site),
    "content/index.md": home(site),
    "types/event.yaml": demoType("event"),
    "types/news.yaml": demoType("news"),
    "examples/project.yaml": PROJECT_TYPE,
  };
}

function manifest() {
  return {
    name: "site",
    private: true,
    scripts: {
      start: "node --env-file=.env node_modules/commonplace-server/bin/commonplace.cjs serve",
      commonplace: "node --env-file=.env node_modules/commonplace-server/bin/commonplace.cjs",
    },
    dependencies: { "commonplace-server": `^${VERSION}` },
  };
}

function environment({ address, withDemo }: NewSiteSettings): string {
  const { protocol, port } = new URL(address);
  // Without TLS there is no proxy in front, so the service itself must listen on the port of the
  // address.
  const portLine = protocol === "http:" && port !== "" ? `PORT=${port}\n` : "";
  return `# All settings are described in the operating guide of commonplace-server.
PUBLIC_URL=${address}
${portLine}\
DATA_DIR=./data
DEMO=${withDemo ? 1 : 0}
`;
}

function profile({ name, language, timeZone, look, address }: NewSiteSettings): string {
  const { hostname } = new URL(address);
  const { site, withSiteName } = starterTexts(language);
  const isDomain = /\.[a-z]+$/i.test(hostname);
  return stringify({
    name,
    description: withSiteName.description(name),
    language,
    timeZone,
    whenToUse: [site.purpose],
    contact: { email: isDomain ? `contact@${hostname}` : PLACEHOLDER_EMAIL },
    look: { name: look },
  });
}

function home({ name, language }: NewSiteSettings): string {
  const head = stringify({ path: "/", title: name, language, status: "published" });
  return `---
${head}---

${starterTexts(language).withSiteName.home(name)}
`;
}

/** The declaration of a content type in the demo, as YAML. */
function demoType(name: string): string {
  return readFileSync(join(DEMO_TYPES_FOLDER, `${name}.yaml`), "utf8");
}

function readme({ name }: NewSiteSettings): string {
  return `# ${name}

\`\`\`sh
npm install
npm start
\`\`\`

serves the site. It prints an address and a code with which you create your account (until the address of the site leads to this machine, use the local one); everything else can be done in the browser at \`/admin\`.

| | |
| --- | --- |
| \`site.yaml\` | name, description, language and look |
| \`theme.css\` | style rules of your own; add it if you need it |
| \`content/\` | pages as Markdown files, \`index.md\` for the home page, if you like to write them here; \`npm run commonplace import .\` takes them in |
| \`types/\` | events and news; delete what you do not need |
| \`examples/project.yaml\` | a content type of your own: move it to \`types/\` and import |
| \`data/\` | everything the site knows; \`npm run commonplace backup FILE\` copies it |
| \`.env\` | the address of the site, and other settings |
`;
}

const PROJECT_TYPE = `# A type of your own: its fields become columns, filters and form fields. Move this file to types/.
name: project
label: Project
plural: Projects
description: What the association works on.
listPath: /projects
fields:
  started: { label: Started, kind: partial_date, filter: true, sort: true }
  state: { label: State, kind: enum, values: [planned, running, done], filter: true }
relations:
  topics: { label: Topics, target: topic, many: true, inverse: { name: projects, label: Projects } }
`;
