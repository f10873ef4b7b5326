// Parameters of operations that no list above them names, for `record-examples.mjs`.

const signers = (type) => ({ rows: `/v1/tx?msg_type=${type}`, fill: ({ signers }) => ({ params: { hash: signers[0]?.hash } }) })
const namespaces = { rows: '/v1/namespace', fill: ({ hash, last_height: height }) => ({ params: { hash, height } }) }
const blobQuery = {
  rows: '/v1/blob?sort_by=size&sort=asc',
  fill: ({ namespace: hash, height, commitment }) => ({ query: `?${new URLSearchParams({ hash, height, commitment })}` }),
}
const blobBody = {
  rows: blobQuery.rows,
  fill: ({ namespace: hash, height, commitment }) => ({ body: { hash, height, commitment } }),
}
const txsWithBlobs = {
  rows: '/v1/tx?msg_type=MsgPayForBlobs&sort=desc',
  fill: ({ hash, height }) => ({ params: { hash, height } }),
}

export const HINTS = {
  'get-block': txsWithBlobs,
  'get-block-stats': txsWithBlobs,
  'list-block-messages': txsWithBlobs,
  'list-block-blobs': txsWithBlobs,
  'get-tx': txsWithBlobs,
  'list-tx-blobs': txsWithBlobs,
  'count-tx-blobs': txsWithBlobs,
  'get-blob': blobBody,
  'get-blob-metadata': blobBody,
  'get-blob-proofs': blobBody,
  'get-blob-proof': blobQuery,
  'get-namespace-by-hash': namespaces,
  'list-namespace-blob-contents': namespaces,
  'get-namespace-series': { rows: '/v1/namespace', fill: ({ namespace_id: id }) => ({ params: { id } }) },
  'get-staking-series': { rows: '/v1/validators', fill: ({ id }) => ({ params: { id } }) },
  'get-ibc-series': { rows: '/v1/ibc/channel', fill: ({ id }) => ({ params: { id } }) },
  'get-hyperlane-series': { rows: '/v1/stats/hyperlane/chains', fill: ({ domain_id: id }) => ({ params: { id } }) },
  'get-rollup-by-slug': { rows: '/v1/rollup', fill: ({ slug }) => ({ params: { slug } }) },
  'list-address-blobs': signers('MsgPayForBlobs'),
  'list-address-undelegations': signers('MsgUndelegate'),
  'list-address-redelegations': signers('MsgBeginRedelegate'),
  'list-address-vestings': {
    rows: '/v1/tx?msg_type=MsgCreateVestingAccount&messages=true',
    fill: ({ messages }) => ({ params: { hash: messages[0].data.ToAddress } }),
  },
  'list-address-celestials': signers('MsgPayForBlobs'),
  'get-address-series': signers('MsgPayForBlobs'),
  search: { rows: '/v1/rollup', fill: ({ name }) => ({ query: `?${new URLSearchParams({ query: name })}` }) },
  'estimate-gas-for-pfb': { fill: () => ({ query: '?sizes=1000,20000' }) },
  'get-series-together': { fill: () => ({ query: '?timeframe=day&names=tx_count,blobs_size' }) },
  'get-summary': { fill: () => ({ params: { table: 'block_stats', function: 'max' }, query: '?column=tx_count' }) },
  'group-rollups': { fill: () => ({ query: '?func=sum&column=type' }) },
}
