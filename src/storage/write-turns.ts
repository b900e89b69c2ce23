/** Milliseconds after which a connection stops waiting for its turn: the turn is a courtesy, and SQLite's own lock decides. */
const patienceMs = 50

/** In the shared memory: whether a connection has the turn, and how many wait that go first. */
const taken = 0
const preferred = 1

/**
 * Takes turns in writing among the connections of one process. SQLite itself lets a second writer sleep for longer and longer and try
 * again, which stops its thread for up to a tenth of a second; here it is woken as soon as the other one is done.
 */
export interface WriteTurns {
  /** Given to the other connections. */
  readonly shared: SharedArrayBuffer
  /** Runs `write` in this connection's turn. */
  inTurn<Result>(write: () => Result): Result
}

/**
 * @param shared of the connection that goes first; without it, this is that connection. The others let it go first, so that the thread that
 * serves requests waits for one transaction at most.
 */
export function createWriteTurns(shared?: SharedArrayBuffer): WriteTurns {
  const memory = shared ?? new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)
  const word = new Int32Array(memory)
  const take = shared ? takeAfterOthers : takeFirst
  return {
    shared: memory,
    inTurn: write => {
      const hasTurn = take(word)
      try {
        return write()
      } finally {
        if (hasTurn) endTurn(word)
      }
    },
  }
}

/** After a thread ended, maybe within its turn. */
export function endTurn(word: Int32Array): void {
  Atomics.store(word, taken, 0)
  Atomics.notify(word, taken)
}

function takeFirst(word: Int32Array): boolean {
  if (Atomics.compareExchange(word, taken, 0, 1) === 0) return true
  Atomics.add(word, preferred, 1)
  try {
    return takeWithin(word, performance.now() + patienceMs)
  } finally {
    Atomics.sub(word, preferred, 1)
    Atomics.notify(word, preferred)
  }
}

function takeAfterOthers(word: Int32Array): boolean {
  const until = performance.now() + patienceMs
  for (let waiting = Atomics.load(word, preferred); waiting > 0; waiting = Atomics.load(word, preferred)) {
    const left = until - performance.now()
    if (left <= 0) break
    Atomics.wait(word, preferred, waiting, left)
  }
  return takeWithin(word, until)
}

/** False when the time is over. */
function takeWithin(word: Int32Array, until: number): boolean {
  while (Atomics.compareExchange(word, taken, 0, 1) !== 0) {
    const left = until - performance.now()
    if (left <= 0) return false
    Atomics.wait(word, taken, 1, left)
  }
  return true
}
