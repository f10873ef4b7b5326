import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from 'typebox'
import { encodeAddress } from '../../lib/encoding/bech32.ts'
import {
  Address,
  BlockHeight,
  CommaList,
  Commitment,
  Cursor,
  EntityId,
  Flag,
  Height,
  HexId,
  NamespaceHash,
  NamespaceId,
  Paging,
  Period,
  SortAsc,
  TxHash,
  TxName,
} from '../schema/query.ts'
import { compileBody, compileParams, compileQuery } from './bind.ts'
import { BadRequest } from './errors.ts'
import { parseQuery } from './query-string.ts'

const bindList = compileQuery(
  Type.Object({
    ...Paging,
    ...Period,
    sort: SortAsc,
    height: Type.Optional(Height),
    joins: Flag(true, ''),
    status: Type.Optional(CommaList(Type.Enum(['success', 'failed']))),
    signers: Type.Optional(CommaList(Address)),
    words: Type.Optional(CommaList(Type.String())),
    sizes: Type.Optional(CommaList(Type.Integer({ minimum: 0 }), { maxItems: 60 })),
    text: Type.Optional(Type.String()),
  }),
)
/** Encodings that readers of bytes may or may not take, of several lengths. An empty text means "not given" and reaches no reader. */
function writings(): string[] {
  const texts = ['=', '==', 'A', 'AA=', 'AAA==', 'AAAA====', 'zz', '0x', 'celestia1', 'a b', 'AAAA\n', 'ä'.repeat(20)]
  for (const length of [1, 20, 27, 28, 29, 31, 32, 33]) {
    const bytes = Buffer.alloc(length, 0xfb)
    const hex = bytes.toString('hex')
    const base64 = bytes.toString('base64')
    texts.push(hex, hex.toUpperCase(), `0x${hex}`, `0X${hex}`, hex.slice(1), `${hex}g`)
    texts.push(base64, base64.replace(/=+$/, ''), bytes.toString('base64url'), `${base64}=`, ` ${base64}`)
  }
  for (const prefix of ['celestia', 'celestiavaloper', 'celestiavalcons'] as const)
    for (const length of [20, 32]) {
      const address = encodeAddress(prefix, 'ab'.repeat(length))
      texts.push(address, address.toUpperCase(), `C${address.slice(1)}`)
    }
  return texts
}

test('the description of an input allows what the reader takes and nothing else', () => {
  for (const [name, schema] of Object.entries({ Address, Commitment, HexId, NamespaceHash, NamespaceId, TxHash, TxName })) {
    const read = compileParams(Type.Object({ it: schema }))
    const { pattern } = schema as unknown as { pattern: string }
    const taken = writings().filter((text) => {
      try {
        read({ it: text })
        return true
      } catch (error) {
        assert.ok(error instanceof BadRequest)
        return false
      }
    })
    assert.ok(taken.length > 3, name)
    assert.deepEqual(
      writings().filter((text) => new RegExp(pattern, 'u').test(text)),
      taken,
      name,
    )
  }
})

const bindAll = (text: string) => bindList(parseQuery(text))
const bind = (text: string) => bindAll(text).values

/** The parameter that the refusal names. */
function refusedBy(text: string): string | undefined {
  try {
    bind(text)
  } catch (error) {
    assert.ok(error instanceof BadRequest)
    assert.match(error.message, new RegExp(`^${error.param}\\b`))
    return error.param
  }
  assert.fail(`${text} was accepted`)
}

describe('query strings', () => {
  test('absent values take their defaults', () => {
    assert.deepEqual(bind(''), { limit: 10, offset: 0, sort: 'asc', joins: true })
  })

  test('keys match in any case, unknown ones are ignored, the first of repeated ones counts', () => {
    assert.equal(bind('LIMIT=5&limit=7&Limit=9&x=1&__proto__=2').limit, 5)
    assert.deepEqual(Object.keys(bind('x=1&constructor=3')).sort(), ['joins', 'limit', 'offset', 'sort'])
  })

  test('a name that is nearly a known one is refused with it, others are told', () => {
    for (const [name, meant] of [
      ['limti', 'limit'],
      ['offst', 'offset'],
      ['heigth', 'height'],
    ])
      assert.throws(() => bind(`${name}=1`), { message: `unknown parameter ${name}: did you mean ${meant}?`, param: name })
    assert.deepEqual(bindAll('time=1&fee=false&limit[]=9&pretty').unknown, ['time', 'fee', 'limit[]'])
    assert.equal(bindAll('limit=3').unknown, undefined)
    assert.deepEqual(bindAll('limits=4&limit=3').unknown, ['limits'])
  })

  test('times are unix seconds, dates or times', () => {
    const seconds = Date.parse('2024-05-01T10:30:00Z') / 1000
    for (const text of [
      String(seconds),
      '2024-05-01T10:30:00Z',
      '2024-05-01T10:30:00.000Z',
      '2024-05-01T10:30',
      '2024-05-01 10:30',
      '2024-05-01T12:30:00%2B02:00',
      '2024-05-01T12:30:00+02:00',
      '2024-05-01T05:30:00-05:00',
    ])
      assert.equal(bind(`from=${text}`).from, seconds, text)
    assert.equal(bind('from=2024-05-01').from, Date.parse('2024-05-01T00:00:00Z') / 1000)
    for (const bad of [
      'yesterday',
      '2024-13-01',
      '2024-02-30',
      '2024-05-01T25:00',
      '2024-05-01T10:30:00.5Z',
      '1.5',
      '1969-01-01',
    ])
      assert.equal(refusedBy(`from=${bad}`), 'from', bad)
  })

  test('0 and nothing mean "not given" where 0 is no value', () => {
    for (const text of ['limit=0', 'limit=', 'limit', 'limit=-0', 'limit=%2B0']) assert.equal(bind(text).limit, 10, text)
    for (const text of ['from=0', 'from=', 'cursor=0', 'height=']) {
      const name = text.split('=')[0]!
      assert.equal(bind(text)[name], undefined, text)
    }
    assert.equal(bind('height=0').height, 0)
    assert.equal(bind('sort=').sort, 'asc')
  })

  test('integers are base 10 with an optional sign', () => {
    assert.equal(bind('offset=%2B7').offset, 7)
    assert.equal(bind('offset=007').offset, 7)
    for (const bad of ['1.5', '0x10', '1e9', 'abc', '1_0', ' 1', '+7', '٣', '1,2', '--1', 'NaN', '9223372036854775808'])
      assert.equal(refusedBy(`offset=${bad}`), 'offset', bad)
  })

  test('bounds hold at the edges', () => {
    assert.equal(bind('limit=1').limit, 1)
    assert.equal(bind('limit=100').limit, 100)
    for (const bad of ['limit=101', 'limit=-1', 'limit=2147483648', 'limit=9007199254740992'])
      assert.equal(refusedBy(bad), 'limit')
    for (const bad of ['offset=-1', 'height=-1', 'cursor=-1', 'from=-1', 'to=-5']) assert.equal(refusedBy(bad), bad.split('=')[0])
  })

  test('huge numbers that only mean "beyond everything" stay numbers that the database takes', () => {
    assert.equal(bind('height=9223372036854775807').height, 2147483647)
    assert.equal(bind('offset=9223372036854775807').offset, Number.MAX_SAFE_INTEGER)
    assert.equal(bind('from=9007199254740993').from, 253402300799)
  })

  test('booleans take twelve spellings, and nothing is false', () => {
    for (const text of ['1', 't', 'T', 'true', 'TRUE', 'True']) assert.equal(bind(`joins=${text}`).joins, true)
    for (const text of ['0', 'f', 'F', 'false', 'FALSE', 'False', '']) assert.equal(bind(`joins=${text}`).joins, false)
    for (const text of ['yes', 'tRUE', '2', 'null']) assert.equal(refusedBy(`joins=${text}`), 'joins')
  })

  test('words are exact', () => {
    assert.equal(bind('sort=desc').sort, 'desc')
    for (const bad of ['DESC', 'up', 'asc ', 'toString']) assert.equal(refusedBy(`sort=${bad}`), 'sort')
  })

  test('a list is split at commas and every item is checked', () => {
    assert.deepEqual(bind('status=failed,success').status, ['failed', 'success'])
    for (const bad of ['status=', 'status=failed,', 'status=,failed', 'status=failed,odd']) assert.equal(refusedBy(bad), 'status')
    assert.equal(refusedBy(`status=${Array(51).fill('failed').join(',')}`), 'status')
    assert.deepEqual(bind(`sizes=${Array(60).fill('0').join(',')}`).sizes, Array(60).fill(0))
    for (const bad of ['sizes=', 'sizes=1,', `sizes=${Array(61).fill('1').join(',')}`]) assert.equal(refusedBy(bad), 'sizes')
  })

  test('a list of free words may hold the empty one', () => {
    assert.deepEqual(bind('words=').words, [''])
    assert.deepEqual(bind('words=a,').words, ['a', ''])
    assert.equal(bind('').words, undefined)
  })

  test('text that cannot be stored is refused where it counts and ignored elsewhere', () => {
    for (const bad of ['%00', '%ff', '%', '%zz', '%e2%82', 'a%00b']) {
      assert.equal(refusedBy(`text=${bad}`), 'text', bad)
      assert.equal(refusedBy(`limit=${bad}`), 'limit', bad)
      assert.equal(bind(`unknown=${bad}`).limit, 10)
    }
    assert.equal(bind('text=a+b%2B%F0%9F%94%AD').text, 'a b+🔭')
  })

  test('equal requests have equal keys, different ones have not', () => {
    const key = (text: string) => bindList(parseQuery(text)).key
    assert.equal(key('Limit=5&offset=2&x=1'), key('offset=2&limit=5'))
    assert.equal(key('limit=10&sort=asc'), key(''))
    assert.notEqual(key('text=a%26limit%3D5'), key('text=a&limit=5'))
    assert.notEqual(key('limit=5'), key('limit=6'))
  })

  test('an address is taken in its account and its operator form', () => {
    const account = 'celestia1w4dvevy0zm70yss42h4k597at605fn388cmm78'
    const operator = 'celestiavaloper1w4dvevy0zm70yss42h4k597at605fn38z8ezgp'
    const [a, b] = bind(`signers=${account},${operator}`).signers as Buffer[]
    assert.equal(a!.length, 20)
    assert.deepEqual(a, b)
    const consensus = 'celestiavalcons1w4dvevy0zm70yss42h4k597at605fn38w6tygq'
    for (const bad of [account.slice(0, -1), `${account}x`, account.replace('w4d', 'w4e'), consensus, 'cosmos1abc', ''])
      assert.equal(refusedBy(`signers=${bad}`), 'signers', bad)
  })
})

describe('path parameters', () => {
  const bindPath = compileParams(Type.Object({ id: EntityId, height: BlockHeight }))

  test('0 is refused where 0 is no value', () => {
    assert.deepEqual(bindPath({ id: '1', height: '9' }).values, { id: 1, height: 9 })
    for (const bad of ['0', '-1', 'abc', '', '1.0', 'a\0']) {
      assert.throws(() => bindPath({ id: bad, height: '1' }), BadRequest, bad)
      assert.throws(() => bindPath({ id: '1', height: bad }), BadRequest, bad)
    }
  })
})

describe('JSON bodies', () => {
  const bindBlob = compileBody(Type.Object({ hash: NamespaceHash, height: BlockHeight, commitment: Commitment, cursor: Cursor }))
  const id = Buffer.alloc(28, 7)
  const hash = Buffer.concat([Buffer.of(0), id]).toString('base64')
  const commitment = Buffer.alloc(32, 251)

  test('keys match in any case, extra ones are ignored', () => {
    const { values } = bindBlob({ HASH: hash, Height: 5, commitment: commitment.toString('base64'), more: [] })
    assert.deepEqual(values, { hash: { version: 0, id }, height: 5, commitment })
  })

  test('a commitment is taken in every encoding that gives its 32 bytes', () => {
    for (const encoding of ['base64', 'base64url', 'hex'] as const) {
      const { values } = bindBlob({ hash, height: 1, commitment: commitment.toString(encoding) })
      assert.deepEqual(values.commitment, commitment, encoding)
    }
    assert.deepEqual(bindBlob({ hash, height: 1, commitment: `0x${commitment.toString('hex')}` }).values.commitment, commitment)
  })

  test('wrong types and missing fields are refused by name', () => {
    const good = { hash, height: 5, commitment: commitment.toString('base64') }
    const cases: [unknown, string][] = [
      [{ ...good, height: '5' }, 'height'],
      [{ ...good, height: 5.5 }, 'height'],
      [{ ...good, height: 0 }, 'height'],
      [{ ...good, height: null }, 'height'],
      [{ ...good, hash: 1 }, 'hash'],
      [{ ...good, hash: 'AAAA' }, 'hash'],
      [{ ...good, hash: [hash] }, 'hash'],
      [{ ...good, commitment: '*' }, 'commitment'],
      [{ ...good, commitment: '' }, 'commitment'],
      [{}, 'hash'],
      [[], 'body'],
      [null, 'body'],
      ['text', 'body'],
      [undefined, 'body'],
    ]
    for (const [body, param] of cases)
      assert.throws(
        () => bindBlob(body),
        (error) => error instanceof BadRequest && error.param === param,
        JSON.stringify(body),
      )
  })
})
