#!/usr/bin/env node
"use strict";

// Plain ES5: this runs on whatever Node the host has, and only finds the one the program needs.
var spawn = require("child_process").spawn;
var fs = require("fs");
var path = require("path");

var NEEDED = [24, 15];
var SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

var root = path.join(__dirname, "..");
var node = isNewEnough(process.versions.node) ? process.execPath : packagedNode();

if (node === null) {
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
  var name = process.platform === "win32" ? "node.exe" : "node";
  var packages = fs.existsSync(path.join(root, "node_modules"))
    ? path.join(root, "node_modules")
    : path.join(root, "..");
  var platform = process.platform === "win32" ? "win" : process.platform;
  var candidates = [
    "node-" + platform + "-" + process.arch,
    "node-bin-" + platform + "-" + process.arch,
  ];
  for (var i = 0; i < candidates.length; i++) {
    var file = path.join(packages, candidates[i], "bin", name);
    if (fs.existsSync(file)) return file;
  }
  return null;
}

function start(file) {
  var main = path.join(root, "src", "main.ts");
  var child = spawn(file, [main].concat(process.argv.slice(2)), { stdio: "inherit" });
  SIGNALS.forEach((signal) => {
    process.on(signal, () => {
      child.kill(signal);
    });
  });
  child.on("exit", (code, signal) => {
    process.exit(code === null ? 128 + (signal === "SIGINT" ? 2 : 15) : code);
  });
}
