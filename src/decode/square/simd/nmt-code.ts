import { HASH_SIZE } from '../merkle.ts'
import { NAMESPACE_SIZE } from '../namespaces.ts'
import { SHARE_SIZE } from '../share-counts.ts'
import {
  type Allocate,
  add,
  and,
  both,
  bytes16,
  type Code,
  choose,
  hasOnes,
  int,
  isPositive,
  isZero,
  join,
  type KernelFunction,
  type Local,
  load,
  multiply,
  not,
  repeat,
  select,
  store,
  subtract,
  xor,
} from './assembler.ts'
import { digest, LANES } from './sha256-code.ts'

/** A node is min namespace, max namespace, hash. */
export const NODE_SIZE = 2 * NAMESPACE_SIZE + HASH_SIZE
const VECTOR = 16
/** A namespace is read and written as two vectors that overlap. */
const SECOND = NAMESPACE_SIZE - VECTOR

/** A message that is made of two places in memory: byte i of it lies at `first + i` before `change`, at `second + i` from there on. */
type Parts = { tag: number; first: Local; second: Local; change: number; length: number }

/** Vector `index` of the padded message of `parts`. */
function readVector({ tag, first, second, change, length }: Parts, index: number): Code {
  const from = VECTOR * index
  const blockBits = 8 * VECTOR * 4 * Math.ceil((length + 9) / 64)
  const padding = Array.from({ length: VECTOR }, (_, i) => {
    if (from + i === length) return 0x80
    const shift = blockBits / 8 - 1 - from - i
    return shift < 4 ? ((length * 8) >> (8 * shift)) & 255 : 0
  })
  if (from >= length) return bytes16(padding)
  const upTo = (end: number) => bytes16(Array.from({ length: VECTOR }, (_, i) => (from + i < end ? 255 : 0)))
  let vector = from >= change ? load(second.get, from) : load(first.get, from)
  if (from < change && from + VECTOR > change) vector = select(vector, load(second.get, from), upTo(change))
  if (from === 0)
    vector = xor(and(vector, bytes16([0, ...Array(VECTOR - 1).fill(255)])), bytes16([tag, ...Array(VECTOR - 1).fill(0)]))
  return from + VECTOR > length ? xor(and(vector, upTo(length)), bytes16(padding)) : vector
}

/** One pointer per lane, `step` bytes apart. */
function spread(pointers: Local[], start: Code, step: Code): Code {
  return join(...pointers.map((pointer, lane) => pointer.set(add(start, multiply(step, int(lane))))))
}

const allocateLanes = (allocate: Allocate) => Array.from({ length: LANES }, () => allocate('i32'))

/** (share, namespace, namespaceStep, target, count): leaf nodes of `count` shares side by side, four at a time. */
export const hashLeaves = (compressIndex: number): KernelFunction => ({
  name: 'hashLeaves',
  params: 5,
  body: (allocate, [share, namespace, namespaceStep, target, count]) => {
    const [shares, namespaces, targets] = [allocateLanes(allocate), allocateLanes(allocate), allocateLanes(allocate)]
    const change = 1 + NAMESPACE_SIZE
    const length = change + SHARE_SIZE
    const partsOf = (lane: number): Parts => ({ tag: 0, first: namespaces[lane]!, second: shares[lane]!, change, length })
    const message = { blocks: 9, vector: (lane: number, index: number) => readVector(partsOf(lane), index) }
    const advance = (pointer: Local, step: Code) => pointer.set(add(pointer.get, multiply(step, int(LANES))))
    return repeat(
      join(
        spread(shares, subtract(share!.get, int(change)), int(SHARE_SIZE)),
        spread(namespaces, subtract(namespace!.get, int(1)), namespaceStep!.get),
        spread(targets, target!.get, int(NODE_SIZE)),
        digest(allocate, message, (lane, half, value) => writeDigest(targets[lane]!, half, value), compressIndex),
        ...targets.map((to, lane) => copyNamespace(to, [0, NAMESPACE_SIZE], namespaces[lane]!, 1)),
        advance(share!, int(SHARE_SIZE)),
        advance(namespace!, namespaceStep!.get),
        advance(target!, int(NODE_SIZE)),
        count!.set(subtract(count!.get, int(LANES))),
      ),
      isPositive(count!.get),
    )
  },
})

/** (left, right, step, target, count): the parents of `count` pairs, whose left and right nodes each are `step` bytes apart. */
export const hashNodes = (compressIndex: number): KernelFunction => ({
  name: 'hashNodes',
  params: 5,
  body: (allocate, [left, right, step, target, count]) => {
    const [lefts, rights, targets] = [allocateLanes(allocate), allocateLanes(allocate), allocateLanes(allocate)]
    const max = allocate('i32')
    const change = 1 + NODE_SIZE
    const length = change + NODE_SIZE
    const partsOf = (lane: number): Parts => ({ tag: 1, first: lefts[lane]!, second: rights[lane]!, change, length })
    const message = { blocks: 3, vector: (lane: number, index: number) => readVector(partsOf(lane), index) }
    const advance = (pointer: Local) => pointer.set(add(pointer.get, multiply(step!.get, int(LANES))))
    return repeat(
      join(
        spread(lefts, subtract(left!.get, int(1)), step!.get),
        spread(rights, subtract(right!.get, int(change)), step!.get),
        spread(targets, target!.get, int(NODE_SIZE)),
        digest(allocate, message, (lane, half, value) => writeDigest(targets[lane]!, half, value), compressIndex),
        // Lane by lane: a target may lie on the pair of its own lane or of one before.
        ...targets.map((to, lane) =>
          join(
            // Parity sorts last and says nothing about the data, so it does not move the maximum of a node that has data on its left.
            max.set(
              choose(
                add(lefts[lane]!.get, int(1)),
                add(rights[lane]!.get, int(change)),
                both(isParity(rights[lane]!, change), isZero(isParity(lefts[lane]!, 1))),
              ),
            ),
            copyNamespace(to, [0], lefts[lane]!, 1),
            copyNamespace(to, [NAMESPACE_SIZE], max, NAMESPACE_SIZE),
          ),
        ),
        advance(left!),
        advance(right!),
        target!.set(add(target!.get, int(LANES * NODE_SIZE))),
        count!.set(subtract(count!.get, int(LANES))),
      ),
      isPositive(count!.get),
    )
  },
})

function writeDigest(target: Local, half: number, value: Code): Code {
  return store(target.get, value, 2 * NAMESPACE_SIZE + VECTOR * half)
}

function copyNamespace(target: Local, offsets: readonly number[], source: Local, from: number): Code {
  return join(
    ...offsets.flatMap((offset) => [0, SECOND].map((part) => store(target.get, load(source.get, from + part), offset + part))),
  )
}

/** The namespace of parity has only ones. */
function isParity(node: Local, offset: number): Code {
  return isZero(hasOnes(not(and(load(node.get, offset), load(node.get, offset + SECOND)))))
}
