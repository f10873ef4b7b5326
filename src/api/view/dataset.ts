import { columnsOf, FORMAT_NAMES } from '../../export/kind.ts'
import { isState } from '../../store/export/dataset.ts'
import { DATASETS } from '../../store/export/datasets.ts'

/** Datasets that can be exported from an index; one that began without state has those that are made of blocks alone. */
export const toDatasets = (hasState: boolean) => ({
  formats: [...FORMAT_NAMES],
  datasets: DATASETS.filter(({ needsState }) => hasState || needsState === false).map((dataset) => ({
    name: dataset.name,
    description: dataset.about,
    replaced: isState(dataset),
    columns: columnsOf(dataset).map(({ name, kind, isOptional, about }) => ({
      name,
      type: kind,
      nullable: isOptional,
      description: about,
    })),
  })),
})
