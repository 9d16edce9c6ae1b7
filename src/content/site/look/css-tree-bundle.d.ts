/** The package in one module, which loads several times faster than its 125. */
declare module "css-tree/dist/csstree.esm" {
  export { generate, parse, walk } from "css-tree";
}
