/** Finds the loops among redirects, and returns one address from each loop. */
export function findRedirectLoops(redirects: ReadonlyMap<string, string>): string[] {
  const circles: string[] = [];
  const followed = new Set<string>();
  for (const start of redirects.keys()) {
    const path = new Set<string>();
    let url: string | undefined = start;
    while (url !== undefined && !followed.has(url)) {
      followed.add(url);
      path.add(url);
      url = redirects.get(url);
    }
    if (url !== undefined && path.has(url)) circles.push(url);
  }
  return circles;
}
