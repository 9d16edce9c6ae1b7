import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import { z } from "zod";

/** Licences under which what runs may be passed on, as SPDX names them. */
const LICENCES =
  /^\(?(?:MIT|MIT-0|ISC|0BSD|BlueOak-1\.0\.0|BSD-[23]-Clause|Apache-2\.0|OFL-1\.1|CC0-1\.0|Unlicense|PSF-2\.0|Python-2\.0|LGPL-3\.0-or-later)(?: (?:OR|AND) [\w.-]+)*\)?$/;

const billSchema = z.object({
  bomFormat: z.literal("CycloneDX"),
  metadata: z.object({ component: z.object({ name: z.string(), version: z.string() }) }),
  components: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      purl: z.string().startsWith("pkg:npm/"),
      hashes: z.array(z.object({ alg: z.string(), content: z.string() })).min(1),
      licenses: z
        .array(
          z.union([
            z.object({ license: z.object({ id: z.string() }) }),
            z.object({ license: z.object({ name: z.string() }) }),
            z.object({ expression: z.string() }),
          ]),
        )
        .default([]),
    }),
  ),
});

it("the bill of materials names every package that runs, with hash and licence", () => {
  execFileSync(process.execPath, ["release/sbom.ts"], { stdio: "ignore" });
  const bill = billSchema.parse(JSON.parse(readFileSync("dist/sbom.cdx.json", "utf8")));
  const { name, version, dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  assert.deepEqual(bill.metadata.component.name, name);
  assert.deepEqual(bill.metadata.component.version, version);
  const named = new Set(bill.components.map((each) => `${each.name}@${each.version}`));
  for (const [dependency, wanted] of Object.entries(dependencies)) {
    assert(named.has(`${dependency}@${wanted}`), dependency);
  }
  const strange = bill.components.flatMap(({ name: component, licenses }) => {
    const said = licenses.map((each) => {
      if ("expression" in each) return each.expression;
      return "id" in each.license ? each.license.id : each.license.name;
    });
    return said.length > 0 && said.every((licence) => LICENCES.test(licence))
      ? []
      : `${component}: ${said.join(", ")}`;
  });
  assert.deepEqual(strange, []);
});
