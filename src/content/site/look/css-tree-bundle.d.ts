/** The whole package in one file, which loads several times faster than its 125 modules. */
declare module "css-tree/dist/csstree.esm" {
  export { generate, parse, walk } from "css-tree";
}
