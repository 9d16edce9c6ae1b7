import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openSiteLine } from "../support/command-line.ts";

describe("change-address", () => {
  it("reports what it would change, changes it, and says how the former domain leads on", async () => {
    using line = await openSiteLine();
    const text =
      "---\ntype: topic\ntitle: Time\nstatus: published\n---\n\nSee https://old.example/about.\n";
    assert.equal((await line.run("import", line.file("time.md", text))).code, 0);
    const words = ["change-address", "http://old.example", "https://new.example"];
    const trial = await line.run(...words, "--dry-run");
    assert.equal(trial.code, 0, trial.err);
    assert.match(trial.out, /\/topics\/time \(1\): …See https:\/\/new\.example\/about\.…/);
    assert.match(trial.out, /^Would rewrite 1 addresses in 1 items$/m);
    assert.doesNotMatch(trial.out, /nginx/);

    const done = await line.run(...words);
    assert.match(done.out, /^Rewrote 1 addresses in 1 items$/m);
    assert.match(done.out, /^ {2}old\.example \{\n {4}redir https:\/\/new\.example\{uri\} 308$/m);
    assert.match(done.out, /server_name old\.example;\n {4}return 308 https:\/\/new\.example\$req/);
    const { items } = JSON.parse((await line.run(...words, "--json")).out);
    assert.deepEqual(items, []);
  });

  it("leads a former address with a port on at that port", async () => {
    using line = await openSiteLine();
    const steps = async (from: string) =>
      (await line.run("change-address", from, "https://new.example")).out;
    const secure = await steps("https://old.example:8443");
    assert.match(secure, /^ {2}old\.example:8443 \{$/m);
    assert.match(secure, /listen 8443 ssl;\n {4}server_name old\.example;$/m);
    const plain = await steps("http://old.example:8080");
    assert.match(plain, /^ {2}http:\/\/old\.example:8080 \{$/m);
    assert.match(
      plain,
      /^nginx:\n\n {2}server \{\n {4}listen 8080;\n {4}server_name old\.example;$/m,
    );
  });

  for (const wrong of ["old.example", "ftp://old.example", "https://old.example/path"]) {
    it(`refuses the address ${wrong}`, async () => {
      using line = await openSiteLine();
      const { code, err } = await line.run("change-address", wrong, "https://new.example");
      assert.equal(code, 2);
      assert.match(err, /Give (an|the) address/);
    });
  }
});
