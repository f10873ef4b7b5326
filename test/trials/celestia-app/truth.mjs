// Compares the state of a node with the answers of an index at the same height.

/** Compares while the chain stands still. Gives how many values were compared and which differ. */
export async function compareState(node, api) {
  const differences = []
  let compared = 0
  const check = (what, chain, index) => {
    compared++
    if (String(chain) !== String(index)) differences.push(`${what}: the node says ${chain}, the index ${index}`)
  }
  const ask = async (path) => (await fetch(`${node.api}${path}`)).json()
  const get = async (path) => {
    const text = await (await fetch(`${api}${path}`)).text()
    return text === '' ? undefined : JSON.parse(text)
  }

  const { amount } = (await ask('/cosmos/bank/v1beta1/supply/by_denom?denom=utia')).amount
  check('supply', amount, (await get('/head')).total_supply)

  const { denom_owners: owners } = await ask('/cosmos/bank/v1beta1/denom_owners/utia?pagination.limit=1000')
  for (const { address, balance } of owners)
    check(`balance of ${address}`, balance.amount, (await get(`/address/${address}`))?.balance?.spendable)

  const { validators } = await ask('/cosmos/staking/v1beta1/validators?pagination.limit=100')
  const indexed = await get('/validators?limit=100')
  const unbonding = new Map()
  for (const validator of validators) {
    const { moniker } = validator.description
    const ours = indexed.find((other) => other.moniker === moniker)
    check(`stake of ${moniker}`, validator.tokens, ours?.stake)
    check(`rate of ${moniker}`, Number(validator.commission.commission_rates.rate), Number(ours?.rate))
    check(`jailed of ${moniker}`, validator.jailed, ours?.jailed ?? false)
    const path = `/cosmos/staking/v1beta1/validators/${validator.operator_address}`
    const delegators = (await get(`/validators/${ours?.id}/delegators?limit=100`)) ?? []
    const mine = new Map(delegators.map((row) => [row.delegator?.hash, row.amount]))
    for (const { delegation, balance } of (await ask(`${path}/delegations?pagination.limit=1000`)).delegation_responses)
      check(`delegation of ${delegation.delegator_address} to ${moniker}`, balance.amount, mine.get(delegation.delegator_address))
    for (const row of (await ask(`${path}/unbonding_delegations?pagination.limit=1000`)).unbonding_responses)
      for (const entry of row.entries)
        unbonding.set(row.delegator_address, (unbonding.get(row.delegator_address) ?? 0n) + BigInt(entry.balance))
  }
  for (const [address, amount] of unbonding)
    check(`unbonding of ${address}`, amount, (await get(`/address/${address}`))?.balance?.unbonding)

  const status = { PASSED: 'applied', REJECTED: 'rejected', VOTING_PERIOD: 'active', DEPOSIT_PERIOD: 'inactive' }
  for (const proposal of (await ask('/cosmos/gov/v1/proposals')).proposals) {
    const ours = await get(`/proposal/${proposal.id}`)
    check(`status of proposal ${proposal.id}`, status[proposal.status.replace('PROPOSAL_STATUS_', '')], ours?.status)
    if (proposal.status === 'PROPOSAL_STATUS_VOTING_PERIOD') continue
    for (const option of ['yes', 'no', 'abstain', 'no_with_veto'])
      check(
        `${option} of proposal ${proposal.id}`,
        proposal.final_tally_result[`${option}_count`],
        ours?.[`${option}_voting_power`] ?? 0,
      )
  }
  return { compared, differences }
}
