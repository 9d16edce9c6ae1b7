#!/usr/bin/env node
"use strict";

// Plain ES5, as any version of Node may run this file; it finds a Node that is new enough.
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
      (isCompiled() ? "; install a newer Node\n" : "; run npm ci, which brings one\n"),
  );
  process.exit(1);
} else {
  start(node);
}

function isNewEnough(version) {
  var parts = version.split(".").map(Number);
  return parts[0] > NEEDED[0] || (parts[0] === NEEDED[0] && parts[1] >= NEEDED[1]);
}

/** Path of the Node from the optional dependency for this platform, or null. */
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

/** Runs the program in this process. */
function run() {
  // As in `src/main.ts`, before anything is written.
  process.umask(63); // 0o077
  enableCompileCache(process.env.DATA_DIR || "./data");
  if (process.argv[2] === "serve") limitYoungGeneration();
  void import(require("url").pathToFileURL(program()).href);
}

function program() {
  return path.join(root, "src", isCompiled() ? "main.js" : "main.ts");
}

/** Whether this is the npm package, which has JavaScript where the repository has TypeScript. */
function isCompiled() {
  return fs.existsSync(path.join(root, "src", "main.js"));
}

/**
 * Caches compiled code in the data folder, which more than halves startup time. The cache is keyed by
 * source and may be deleted at any time. Does nothing if the folder has no site or is not writable.
 */
function enableCompileCache(dataDir) {
  var hasSite = ["commonplace.db", "reading.db"].some(function (name) {
    return fs.existsSync(path.join(dataDir, name));
  });
  if (!hasSite) return;
  var cache = path.join(dataDir, "cache");
  try {
    fs.mkdirSync(cache, { recursive: true, mode: 448 });
  } catch (_error) {
    return;
  }
  require("module").enableCompileCache(cache);
}

/**
 * Loading the program would grow V8's young generation by 20 MB that an idle server does not need.
 * `src/cli/heap.ts` lifts the limit after startup.
 */
function limitYoungGeneration() {
  require("v8").setFlagsFromString("--semi-space-growth-factor=1");
}

/** Restarts this file with a Node that is new enough. */
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
