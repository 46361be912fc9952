/**
 * What is made of the sections of a segment when it is first asked for, such as a hash table of keys: once for all
 * threads, in the same shared memory. Behind the sections of a file there is room for it, which takes no memory until it
 * is written to.
 *
 *   | head | sections ... | used | slots: state, place, length | made | made | ...
 *                                  one for each section
 *
 * Whoever comes first makes it, and others wait. Where there is no room (left), every thread has its own.
 */

/** What is made of the section with this number. `make` must not ask for anything else that is made. */
type SharedTable = (section: number, make: () => Uint32Array) => Uint32Array

const [none, making, ready, apart] = [0, 1, 2, 3] as const
const wordsPerSlot = 3
/** In milliseconds. A thread that makes something may be ended before it is done. */
const longestWait = 5000

/**
 * How much room to leave behind a file of so many bytes: what was ever seen is a tenth. None behind smaller ones: they may
 * be given memory that was used before, all of which is cleared, and so taken, at once.
 */
export function tableSpaceFor(size: number): number {
  return size > largeFile ? Math.ceil(size / 32) * 8 : 0
}
const largeFile = 32 << 20

/** `start`: where the sections, so many of them, end in the buffer. */
export function sharedTablesIn(buffer: SharedArrayBuffer, start: number, sections: number): SharedTable {
  const scratch = new Int32Array(buffer, start)
  const firstFree = 1 + sections * wordsPerSlot
  if (scratch.length < firstFree) return (_, make) => make()

  const at = (place: number, length: number) =>
    new Uint32Array(buffer as unknown as ArrayBuffer, start + place * 4, length)
  function share(slot: number, made: Uint32Array): Uint32Array {
    const place = firstFree + Atomics.add(scratch, 0, made.length)
    if (place + made.length > scratch.length) {
      Atomics.store(scratch, slot, apart)
      return made
    }
    const shared = at(place, made.length)
    shared.set(made)
    scratch[slot + 1] = place
    scratch[slot + 2] = made.length
    Atomics.store(scratch, slot, ready)
    return shared
  }
  function makeFor(slot: number, make: () => Uint32Array): Uint32Array {
    try {
      return share(slot, make())
    } catch (error) {
      Atomics.store(scratch, slot, none)
      throw error
    } finally {
      Atomics.notify(scratch, slot)
    }
  }
  return (section, make) => {
    const slot = 1 + section * wordsPerSlot
    if (Atomics.compareExchange(scratch, slot, none, making) === none) return makeFor(slot, make)
    Atomics.wait(scratch, slot, making, longestWait)
    return Atomics.load(scratch, slot) === ready ? at(scratch[slot + 1]!, scratch[slot + 2]!) : make()
  }
}
