import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openSiteLine } from "../support/command-line.ts";

describe("commonplace api", () => {
  it("answers what the interface answers, without a key or a server", async () => {
    using shell = await openSiteLine();
    const { code, out } = await shell.run("api", "GET", "/");
    assert.equal(code, 0);
    const { key, routes } = JSON.parse(out);
    assert.equal(key, null);
    assert(routes.some(({ path }: { path: string }) => path === "/api/v1/content-types"));
  });

  it("takes the method in small letters, and the path with or without its beginning", async () => {
    using shell = await openSiteLine();
    const { out } = await shell.run("api", "GET", "/content-types");
    assert.equal(JSON.parse(out).items.length, 5);
    for (const path of ["content-types", "/api/v1/content-types"]) {
      assert.equal((await shell.run("api", "get", path)).out, out);
    }
  });

  it("prints the headers of the answer when asked to", async () => {
    using shell = await openSiteLine();
    const { out } = await shell.run("api", "GET", "/openapi.json", "--include");
    assert.match(out, /^etag: "[\w-]{22}"$/m);
    assert.match(out, /\n\n\{"openapi":"3\.1/);
  });

  it("tells in a line what is wrong, and fails", async () => {
    using shell = await openSiteLine();
    const wrong: [words: string[], told: string, exitCode?: number][] = [
      [
        ["GET", "/nothing"],
        "error: There is no such address in this API; GET /api/v1/ lists what your key can use",
      ],
      [["DELETE", "/content-types"], "error: DELETE is not served here: use GET or HEAD"],
      [
        ["GET", "/content-types?typ=page"],
        "error: Something is wrong with the request: the query has keys that mean nothing here: typ",
      ],
      [
        ["GET", "/", "--header", "nonsense"],
        'error: Cannot use the header "nonsense": write NAME: VALUE',
        2,
      ],
      [
        ["GET", "/", "--data", "{}"],
        "error: Cannot send a body by GET; leave it out, or use POST",
        2,
      ],
      [
        ["GR ET", "/"],
        'error: Cannot use the method "GR ET": write GET, POST, PATCH, PUT, DELETE',
        2,
      ],
      [
        ["POST", "/content", "--data", "{"],
        "error: The body is not well-formed JSON: look at character 2",
      ],
      [
        ["POST", "/content", "--data", "@gone.json"],
        "error: Cannot use gone.json: it does not exist",
      ],
    ];
    for (const [words, told, exitCode = 1] of wrong) {
      const { code, out, err } = await shell.run("api", ...words);
      assert.deepEqual({ code, out, err }, { code: exitCode, out: "", err: told });
    }
  });

  it("writes, from the command line, a file or standard input", async () => {
    using shell = await openSiteLine();
    const item = (title: string) => JSON.stringify({ type: "topic", title, status: "published" });
    const direct = await shell.run("api", "POST", "/content", "--data", item("Direct"));
    assert.equal(direct.code, 0, direct.err);
    const file = shell.file("item.json", item("File"));
    assert.equal((await shell.run("api", "POST", "/content", "--data", `@${file}`)).code, 0);
    const post = ["api", "POST", "/content", "--data", "-"];
    assert.equal((await shell.pipe(item("Piped"), ...post)).code, 0);
    const listed = await shell.run("api", "GET", "/content?type=topic");
    const titles = JSON.parse(listed.out).items.map(({ title }: { title: string }) => title);
    assert.deepEqual(titles.sort(), ["Direct", "File", "Piped"]);
  });

  it("asks for the state of what is changed, as the interface does", async () => {
    using shell = await openSiteLine();
    const made = await shell.run(
      "api",
      "POST",
      "/content",
      "--data",
      '{"type":"topic","title":"A"}',
    );
    const change = [
      "api",
      "PATCH",
      `/content/${JSON.parse(made.out).id}`,
      "--data",
      '{"title":"B"}',
    ];
    assert.match(
      (await shell.run(...change)).err,
      /^error: This changes what exists: send If-Match/,
    );
    assert.equal((await shell.run(...change, "--header", 'If-Match: "1"')).code, 0);
    const stale = await shell.run(...change, "--header", 'If-Match: "1"');
    assert.match(stale.err, /^error: It has changed since you read it/);
  });
});
