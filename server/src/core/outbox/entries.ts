/**
 * Small maps, of which each of a million documents has dozens. A Map costs the most time and memory while it is filled; these
 * are filled once, iterated once and hardly ever searched.
 */

/** A map that keeps its entries in a list, in insertion order. */
export class Entries<V> implements ReadonlyMap<string, V> {
  readonly #keys: string[] = []
  readonly #values: V[] = []
  get size(): number {
    return this.#keys.length
  }
  /** The key must be new; this is not checked. */
  add(key: string, value: V): void {
    this.#keys.push(key)
    this.#values.push(value)
  }
  set(key: string, value: V): void {
    const at = this.#keys.indexOf(key)
    if (at < 0) this.add(key, value)
    else this.#values[at] = value
  }
  has(key: string): boolean {
    return this.#keys.includes(key)
  }
  get(key: string): V | undefined {
    const at = this.#keys.indexOf(key)
    return at < 0 ? undefined : this.#values[at]
  }
  forEach(visit: (value: V, key: string, all: ReadonlyMap<string, V>) => void): void {
    for (let i = 0; i < this.#keys.length; i++) visit(this.#values[i]!, this.#keys[i]!, this)
  }
  keys(): MapIterator<string> {
    return this.#keys.values()
  }
  values(): MapIterator<V> {
    return this.#values.values()
  }
  *entries(): Generator<[string, V], undefined> {
    for (let i = 0; i < this.#keys.length; i++) yield [this.#keys[i]!, this.#values[i]!]
  }
  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries()
  }
}

/** A map with one entry. */
export class OnlyEntry<V> implements ReadonlyMap<string, V> {
  readonly size = 1
  readonly #key: string
  readonly #value: V
  constructor(key: string, value: V) {
    this.#key = key
    this.#value = value
  }
  has(key: string): boolean {
    return key === this.#key
  }
  get(key: string): V | undefined {
    return key === this.#key ? this.#value : undefined
  }
  forEach(visit: (value: V, key: string, all: ReadonlyMap<string, V>) => void): void {
    visit(this.#value, this.#key, this)
  }
  keys(): MapIterator<string> {
    return [this.#key].values()
  }
  values(): MapIterator<V> {
    return [this.#value].values()
  }
  entries(): MapIterator<[string, V]> {
    return [[this.#key, this.#value] as [string, V]].values()
  }
  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries()
  }
}
