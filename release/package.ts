import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { decode, encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec";
import { indentedByTabs } from "./indentation.ts";

/**
 * Makes the npm package in `dist/`: plain JavaScript with types and source maps, since Node strips
 * no types below `node_modules`. `npm run package` packs it as well.
 */
const ROOT = join(import.meta.dirname, "..");
const DIST = join(ROOT, "dist");

/** What the program reads besides its code, and all documents, without their pictures. */
const FILES = [
  "bin",
  "demo/site.yaml",
  "demo/content",
  "demo/media",
  "demo/types",
  "deploy",
  ...globSync(["*.md", "docs/**/*.md"], { cwd: ROOT }),
  "LICENSE",
];

const IMPORTED = / from "(\.[^"]+\.ts)"/g;

rmSync(DIST, { recursive: true, force: true });
execFileSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", "tsconfig.package.json"], {
  cwd: ROOT,
  stdio: "inherit",
});
for (const file of globSync("src/**/*.js", { cwd: DIST })) nameThreads(join(DIST, file));
for (const file of globSync("src/**/*.{js,d.ts}", { cwd: DIST })) indentByTabs(join(DIST, file));
for (const file of globSync("src/**/*.js.map", { cwd: DIST })) mapLinesOnly(join(DIST, file));
for (const file of FILES) if (existsSync(join(ROOT, file))) copy(file);
for (const file of globSync("demo/content/*.jsonl", { cwd: DIST })) compress(join(DIST, file));
// Migrations, and modules for browsers, which the server strips of types itself.
for (const file of globSync("src/**/*.sql", { cwd: ROOT })) copy(file);
for (const file of globSync("src/{http/admin,static}/browser/*.ts", { cwd: ROOT })) {
  copyWithImports(file);
}
execFileSync(process.execPath, [join(ROOT, "release/sbom.ts")], { stdio: "inherit" });
writeFileSync(join(DIST, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
// Without the notices, a line for each of its files.
const packing = ["pack", "--loglevel=warn", "--pack-destination", DIST];
execFileSync("npm", packing, { cwd: DIST, stdio: "inherit" });

function copy(file: string): void {
  mkdirSync(dirname(join(DIST, file)), { recursive: true });
  cpSync(join(ROOT, file), join(DIST, file), { recursive: true });
}

/** What these import is compiled as well, for the server. */
function copyWithImports(file: string): void {
  copy(file);
  for (const [, imported = ""] of readFileSync(join(ROOT, file), "utf8").matchAll(IMPORTED)) {
    copyWithImports(join(dirname(file), imported));
  }
}

/** The demo's quotations are a third of the package as they are. */
function compress(file: string): void {
  writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
  rmSync(file);
}

function indentByTabs(file: string): void {
  writeFileSync(file, indentedByTabs(readFileSync(file, "utf8")));
}

/** Columns make source maps as large as the program; a stack trace needs lines, and not the map's own name. */
function mapLinesOnly(file: string): void {
  const { sourceRoot: _empty, file: _name, ...map } = JSON.parse(readFileSync(file, "utf8"));
  const lines = decode(map.mappings).map(([first]) =>
    first === undefined ? [] : [fromStart(first)],
  );
  writeFileSync(file, JSON.stringify({ ...map, mappings: encode(lines) }));
}

/** The segment for the whole of its line. */
function fromStart(segment: SourceMapSegment): SourceMapSegment {
  const [, source, line, column] = segment;
  return source === undefined || line === undefined || column === undefined
    ? [0]
    : [0, source, line, column];
}

/** TypeScript rewrites the endings of imports, but not of the files that threads are started from. */
function nameThreads(file: string): void {
  const text = readFileSync(file, "utf8");
  const named = text.replace(
    /new URL\("(\.[^"]+)\.ts", import\.meta\.url\)/g,
    (_whole, path: string) => {
      if (!existsSync(join(dirname(file), `${path}.js`))) {
        throw new Error(`${file} starts ${path}.js, which was not made`);
      }
      return `new URL("${path}.js", import.meta.url)`;
    },
  );
  if (named !== text) writeFileSync(file, named);
}

/** Without what only development needs, and without a Node of its own. */
function manifest(): Record<string, unknown> {
  const given = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const { name, version, description, license, type, engines, dependencies } = given;
  const { repository, peerDependencies, peerDependenciesMeta } = given;
  return {
    // Provenance is given only to a package that names its repository.
    ...{ name, version, description, license, repository, type, engines },
    bin: {
      "commonplace-server": "bin/commonplace-server.cjs",
      commonplace: "bin/commonplace.cjs",
    },
    files: ["bin", "src", "demo", "deploy", "docs", "*.md", "sbom.cdx.json"],
    dependencies,
    ...{ peerDependencies, peerDependenciesMeta },
  };
}
