export const DENSE = "dense";
export const SPARSE = "words";

export const collectionConfig = (dimension: number) => ({
  // Bytes in memory to find by, the vectors themselves on disk to compare what was found.
  vectors: { [DENSE]: { size: dimension, distance: "Cosine", on_disk: true } },
  quantization_config: { scalar: { type: "int8", quantile: 0.99, always_ram: true } },
  sparse_vectors: { [SPARSE]: { modifier: "idf" } },
  // Every search is of one workspace: a graph for each instead of one for all.
  hnsw_config: { m: 0, payload_m: 16 },
  on_disk_payload: true,
});

/**
 * All that is filtered by: Qdrant in its strict mode, as in its cloud, refuses a filter on anything else. Only workspaces have
 * graphs of their own; one for each word would cost more than all else. Before 1.17, Qdrant knows no `enable_hnsw` and makes
 * one for each word that thousands of points share.
 */
export const INDEXES = {
  workspaceId: { type: "keyword", is_tenant: true },
  tags: { type: "keyword", enable_hnsw: false },
  words: { type: "keyword", enable_hnsw: false },
  pending: { type: "bool", enable_hnsw: false },
  revision: { type: "keyword", enable_hnsw: false, on_disk: true },
} as const;
