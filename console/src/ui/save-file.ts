/** Downloads a file from an address, also where the server would let the browser display it. The page stays. */
export function saveFile(address: string, name = ''): void {
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
}
