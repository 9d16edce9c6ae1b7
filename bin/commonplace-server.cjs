#!/usr/bin/env node
"use strict";

// The npm package by its own name: `npx commonplace-server` alone serves the demo.
if (process.argv.length === 2) process.argv.push("serve");
require("./commonplace.cjs");
