import assert from "node:assert/strict";
import { it } from "node:test";
import { editionFor } from "../../src/content/site/editions.ts";
import { navigationOf } from "../../src/content/site/navigation.ts";
import { siteProfileSchema } from "../../src/content/site/site.ts";
import { openReading } from "../support/reading-store.ts";

it("links a menu to the home page of its edition, by the path in any edition or its own", () => {
  using store = openReading();
  const { reading, types, writer } = store;
  const home = [
    { label: "Start", to: "/", entries: [] },
    { label: "Start", to: "/de", entries: [] },
  ];
  const changes = { languages: ["de"], menus: { de: home } };
  writer.saveSite(siteProfileSchema.parse({ ...reading.site(), ...changes }), types);
  store.flush();
  const links = navigationOf(reading, editionFor(reading, "de"));
  assert.deepEqual(
    links.map(({ to }) => to),
    ["/de", "/de"],
  );
});
