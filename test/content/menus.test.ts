import assert from "node:assert/strict";
import { it } from "node:test";
import { editionForItemLanguage } from "../../src/content/site/editions.ts";
import { buildNavigation } from "../../src/content/site/navigation.ts";
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
  const links = buildNavigation(reading, editionForItemLanguage(reading, "de"));
  assert.deepEqual(
    links.map(({ to }) => to),
    ["/de", "/de"],
  );
});

it("links a menu to the pages that are there without an item", () => {
  using store = openReading();
  const { reading, types, writer } = store;
  const menu = ["/search", "/about/verification", "/contact", "/timeline", "/nothing"];
  const entries = menu.map((to) => ({ to, entries: [] }));
  writer.saveSite(siteProfileSchema.parse({ ...reading.site(), menus: { en: entries } }), types);
  store.flush();
  const links = buildNavigation(reading, editionForItemLanguage(reading, "en"));
  assert.deepEqual(
    links.map(({ text, to }) => [text, to]),
    [
      ["Search", "/search"],
      ["How far a quotation can be trusted", "/about/verification"],
      ["Contact", "/contact"],
    ],
  );
});
