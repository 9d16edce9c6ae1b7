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
  var program = process.platform === "win32" ? "node.exe" : "node";
  var own = path.join(root, "node_modules");
  var packages = fs.existsSync(own) ? own : path.join(root, "..");
  var platform = process.platform === "win32" ? "win" : process.platform;
  var files = ["node-", "node-bin-"].map(function (start) {
    return path.join(packages, start + platform + "-" + process.arch, "bin", program);
  });
  return files.filter(fs.existsSync)[0] || null;
}

function start(file) {
  var main = path.join(root, "src", "main.ts");
  var child = spawn(file, [main].concat(process.argv.slice(2)), { stdio: "inherit" });
  SIGNALS.forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal);
    });
  });
  child.on("exit", function (code, signal) {
    process.exit(code === null ? 128 + (signal === "SIGINT" ? 2 : 15) : code);
  });
}
