// Finds places of a served chain that show much, one of each kind, for pictures.

const ask = async (page, path) => (await fetch(new URL(`v1/${path}`, page))).json()

/** Name, path, and whether a phone shows it too. */
export async function findViews(page) {
  const blocks = await ask(page, 'block?limit=100&sort=desc&stats=true')
  // The newest ones have no votes yet, so that they cannot be verified.
  const known = blocks.slice(3)
  const fullest = known.reduce((best, block) => (block.stats.blobs_size > best.stats.blobs_size ? block : best))
  const [namespace] = await ask(page, 'namespace?limit=1&sort=desc&sort_by=size')
  const [validator] = await ask(page, 'validators?limit=1')
  const [rollup] = await ask(page, 'rollup?limit=1')
  const proposals = await ask(page, 'proposal?limit=20&sort=desc')
  const decided = proposals.find(({ status }) => status === 'applied') ?? proposals[0]
  return [
    ['overview', '', true],
    ['block', `block/${fullest.height}`],
    ['namespace', `namespace/${namespace.namespace_id}/${namespace.version}`],
    ['account', `address/${validator.delegator.hash ?? validator.delegator}`, true],
    ['validator', `validator/${validator.id}`],
    ['proposal', `proposal/${decided.id}`],
    ['rollup', `rollup/${rollup.slug}`],
    ['gas', 'gas'],
  ]
}
