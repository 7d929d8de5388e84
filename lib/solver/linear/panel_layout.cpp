#include "solver/linear/panel_layout.h"

#include <utility>

namespace csim {
namespace {

// A counting sort that keeps the order within each destination; (*range_end)[d] receives the end of d's range
// in *sorted.
template <typename Item>
void sort_by_destination(const std::vector<Item>& items, const std::vector<int>& destination,
                         std::size_t num_destinations, std::vector<int>* range_end,
                         std::vector<Item>* sorted) {
  range_end->assign(num_destinations + 1, 0);
  for (const int d : destination) ++(*range_end)[d + 1];
  for (std::size_t d = 0; d < num_destinations; ++d) (*range_end)[d + 1] += (*range_end)[d];
  sorted->resize(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) (*sorted)[(*range_end)[destination[i]]++] = items[i];
}

}  // namespace

void PanelLayout::build(const BlockSymmetricMatrix& H, const SupernodalStructure& structure) {
  cut_chunks(H, structure);
  lay_out_strips(structure);
  find_sources(H, structure);
  find_updates();
}

void PanelLayout::cut_chunks(const BlockSymmetricMatrix& H, const SupernodalStructure& structure) {
  chunks.clear();
  panels.clear();
  chunk_begin_.clear();
  panel_of_.clear();
  int first_column = 0;
  for (int s = 0; s < structure.num_supernodes(); ++s) {
    Panel panel{};
    panel.first_chunk = static_cast<int>(chunks.size());
    panel.first_column = first_column;
    for (int k = structure.begin[s]; k < structure.begin[s + 1]; ++k) {
      const int tree = structure.order[k], size = H.size[tree];
      const int pieces = (size + kStripRows - 1) / kStripRows;
      chunk_begin_.push_back(static_cast<int>(chunks.size()));
      for (int piece = 0; piece < pieces; ++piece) {
        const int begin = size * piece / pieces, end = size * (piece + 1) / pieces;
        chunks.push_back({end - begin, panel.columns, H.begin[tree] + begin});
        panel_of_.push_back(s);
        panel.columns += end - begin;
      }
    }
    panel.num_chunks = static_cast<int>(chunks.size()) - panel.first_chunk;
    first_column += panel.columns;
    panels.push_back(panel);
  }
  chunk_begin_.push_back(static_cast<int>(chunks.size()));
}

void PanelLayout::lay_out_strips(const SupernodalStructure& structure) {
  rows.clear();
  num_values = 0;
  for (int s = 0; s < structure.num_supernodes(); ++s) {
    Panel& panel = panels[s];
    panel.rows_begin = static_cast<int>(rows.size());
    for (int c = 0; c < panel.num_chunks; ++c) rows.push_back(panel.first_chunk + c);
    for (int at = structure.rows_begin[s]; at < structure.rows_begin[s + 1]; ++at) {
      const int k = structure.rows[at];
      for (int chunk = chunk_begin_[k]; chunk < chunk_begin_[k + 1]; ++chunk) rows.push_back(chunk);
    }
    panel.num_rows = static_cast<int>(rows.size()) - panel.rows_begin;
    panel.values = num_values;
    num_values += panel.stride() * panel.num_rows;
  }
}

// A block goes to the panel of the tree that is eliminated first; where that is the block's row, it goes
// there transposed.
void PanelLayout::find_sources(const BlockSymmetricMatrix& H, const SupernodalStructure& structure) {
  unsorted_sources_.clear();
  destination_.clear();
  for (int tree = 0; tree < H.num_blocks(); ++tree) {
    const int position = structure.position[tree];
    add_source({false, H.diagonal_begin[tree], 1, H.size[tree], 0, 0, 0, 0}, position, position);
  }
  for (int e = 0; e < H.num_edges(); ++e) {
    const auto [row, col] = H.edges[e];
    const int row_position = structure.position[row], column_position = structure.position[col];
    if (row_position > column_position)
      add_source({true, H.edge_begin[e], 1, H.size[row], 0, 0, 0, 0}, row_position, column_position);
    else
      add_source({true, H.edge_begin[e], H.size[row], 1, 0, 0, 0, 0}, column_position, row_position);
  }
  sort_by_destination(unsorted_sources_, destination_, panels.size(), &range_end_, &sources);
  for (std::size_t s = 0; s < panels.size(); ++s) {
    panels[s].sources_begin = s == 0 ? 0 : range_end_[s - 1];
    panels[s].sources_end = range_end_[s];
  }
}

// Cuts a block at the chunks of its two trees; of a diagonal block only the tiles on and below the diagonal
// are wanted.
void PanelLayout::add_source(const Source& block, int row_position, int column_position) {
  int column = 0;
  for (int c = chunk_begin_[column_position]; c < chunk_begin_[column_position + 1];
       column += chunks[c++].size) {
    int row = 0;
    for (int r = chunk_begin_[row_position]; r < chunk_begin_[row_position + 1]; row += chunks[r++].size) {
      if (r < c) continue;
      Source part = block;
      part.entry += row * block.row_step + column * block.column_step;
      part.rows = chunks[r].size;
      part.columns = chunks[c].size;
      part.row_chunk = r;
      part.column_chunk = c;
      unsorted_sources_.push_back(part);
      destination_.push_back(panel_of_[c]);
    }
  }
}

// The strips of a panel below its own ones, in runs of strips that are columns of the same later panel.
void PanelLayout::find_updates() {
  unsorted_updates_.clear();
  destination_.clear();
  for (std::size_t s = 0; s < panels.size(); ++s) {
    const int* panel_rows = rows.data() + panels[s].rows_begin;
    for (int begin = panels[s].num_chunks, end; begin < panels[s].num_rows; begin = end) {
      const int target = panel_of_[panel_rows[begin]];
      end = begin + 1;
      while (end < panels[s].num_rows && panel_of_[panel_rows[end]] == target) ++end;
      unsorted_updates_.push_back({static_cast<int>(s), begin, end});
      destination_.push_back(target);
    }
  }
  sort_by_destination(unsorted_updates_, destination_, panels.size(), &range_end_, &updates);
  for (std::size_t s = 0; s < panels.size(); ++s) {
    panels[s].updates_begin = s == 0 ? 0 : range_end_[s - 1];
    panels[s].updates_end = range_end_[s];
  }
}

}  // namespace csim
