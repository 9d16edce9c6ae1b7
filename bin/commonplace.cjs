#!/usr/bin/env node
"use strict";

// Plain ES5: this runs on whatever Node the host has, and only finds the one the program needs.
var fs = require("fs");
var path = require("path");

var NEEDED = [24, 15];
var SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

var root = path.join(__dirname, "..");
var isOwnNode = isNewEnough(process.versions.node);
var node = isOwnNode ? process.execPath : packagedNode();

if (isOwnNode) {
  run();
} else if (node === null) {
  process.stderr.write(
    "error: Commonplace needs Node " +
      NEEDED.join(".") +
      " or newer, and this is " +
      process.versions.node +
      "; install the optional dependencies (npm ci) or a newer Node\n",
  );
  process.exit(1);
} else {
  start(node);
}

function isNewEnough(version) {
  var parts = version.split(".").map(Number);
  return parts[0] > NEEDED[0] || (parts[0] === NEEDED[0] && parts[1] >= NEEDED[1]);
}

/** The Node that the optional dependency for this platform brings; null: there is none. */
function packagedNode() {
  var program = process.platform === "win32" ? "node.exe" : "node";
  var own = path.join(root, "node_modules");
  var packages = fs.existsSync(own) ? own : path.join(root, "..");
  var platform = process.platform === "win32" ? "win" : process.platform;
  var files = ["node-", "node-bin-"].map(function (start) {
    return path.join(packages, start + platform + "-" + process.arch, "bin", program);
  });
  return files.filter(fs.existsSync)[0] || null;
}

/** In this very process. */
function run() {
  // As in `src/main.ts`, before anything is written.
  process.umask(63); // 0o077
  keepCompiledCode(process.env.DATA_DIR || "./data");
  if (process.argv[2] === "serve") startSmall();
  void import(require("url").pathToFileURL(path.join(root, "src", "main.ts")).href);
}

/**
 * Node keeps the compiled program in the data folder of a site, which takes more than half off a start.
 * Compiled code is found by its source, so the folder may be removed at any time; where it cannot be
 * written, nothing is kept. A folder without a site stays untouched.
 */
function keepCompiledCode(dataDir) {
  var isOfSite = ["commonplace.db", "reading.db"].some(function (name) {
    return fs.existsSync(path.join(dataDir, name));
  });
  if (!isOfSite) return;
  var cache = path.join(dataDir, "cache");
  try {
    fs.mkdirSync(cache, { recursive: true, mode: 448 });
  } catch (_error) {
    return;
  }
  require("module").enableCompileCache(cache);
}

/**
 * Reading the program makes V8's space for what is new grow by 20 MB that a server at rest has no use for.
 * It may grow again once the program is read (`src/cli/serve.ts`).
 */
function startSmall() {
  require("v8").setFlagsFromString("--semi-space-growth-factor=1");
}

/** This file again, with the Node that can run the program. */
function start(file) {
  var child = require("child_process").spawn(file, [__filename].concat(process.argv.slice(2)), {
    stdio: "inherit",
  });
  SIGNALS.forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal);
    });
  });
  child.on("exit", function (code, signal) {
    process.exit(code === null ? 128 + (signal === "SIGINT" ? 2 : 15) : code);
  });
}
