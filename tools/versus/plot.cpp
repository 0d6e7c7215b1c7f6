/* plot.cpp: the rates over the number of keys as an SVG: panels two by two, the keys on a logarithmic
 * axis, the rates on a linear one. By device time where all of a panel have it, else by the host's. */
#include "versus.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace
{

/* In pixels: of a panel, and of the axes within. */
const double panel_width = 560, panel_height = 380, head_height = 40;
const double left = 60, top = 36, width = 480, height = 290, bottom = top + height;

/* Okabe and Ito's, which those who see few colours tell apart. */
const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                               "#e69f00", "#56b4e9", "#000000", "#999999"};
const size_t num_colours = sizeof colours / sizeof *colours;

/* What a panel's axes show: from first to last, as logarithms, and from 0 to end. */
struct axes {
    bool by_device = true;
    double first = HUGE_VAL, last = 0, end = 0, tick = 0;

    explicit axes(const versus_panel &panel);
    double rate_of(const versus_point &point) const
    {
        const double seconds = by_device ? point.device : point.host;
        return seconds > 0 ? 1e-9 * (double)point.count / seconds : 0;
    }
    double x_of(double count) const
    {
        return left + (std::log2(count) - first) / (last - first) * width;
    }
    double y_of(double rate) const
    {
        return bottom - rate / end * height;
    }
};

/* 1, 2 or 5 times a power of ten, so that about five of them reach up to the largest. */
double tick_of(double largest)
{
    const double power = std::pow(10, std::floor(std::log10(largest / 5)));
    for (const double step : {1.0, 2.0, 5.0}) {
        if (step * power * 5 >= largest)
            return step * power;
    }
    return 10 * power;
}

axes::axes(const versus_panel &panel)
{
    for (const versus_line &line : panel.lines) {
        for (const versus_point &point : line.points)
            by_device = by_device && point.device > 0;
    }
    double largest = 0;
    for (const versus_line &line : panel.lines) {
        for (const versus_point &point : line.points) {
            first = std::min(first, std::log2((double)point.count));
            last = std::max(last, std::log2((double)point.count));
            largest = std::max(largest, rate_of(point));
        }
    }
    if (largest > 0) {
        tick = tick_of(largest);
        end = tick * std::ceil(largest / tick);
    }
    if (last - first < 1) {
        first -= 0.5;
        last += 0.5;
    }
}

std::string escaped(const std::string &text)
{
    std::string result;
    for (const char c : text)
        result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
    return result;
}

void write_axes(FILE *file, const axes &axes)
{
    for (double rate = 0; rate < axes.end + axes.tick / 2; rate += axes.tick)
        fprintf(file,
                "<path d='M%g %.1fh%g' class='grid'/>"
                "<text x='%g' y='%.1f' text-anchor='end'>%.3g</text>\n",
                left, axes.y_of(rate), width, left - 6, axes.y_of(rate) + 4, rate);
    const int step = std::max(1, (int)std::ceil((axes.last - axes.first) / 10));
    for (int log = (int)std::ceil(axes.first); log <= axes.last; log += step) {
        const double x = axes.x_of(std::exp2(log));
        fprintf(file,
                "<path d='M%.1f %gV%g' class='grid'/><text x='%.1f' y='%g' text-anchor='middle'>2"
                "<tspan dy='-5' font-size='9'>%d</tspan></text>\n",
                x, top, bottom, x, bottom + 18, log);
    }
    fprintf(file,
            "<text x='%g' y='%g' text-anchor='middle'>keys</text>\n"
            "<text transform='translate(14 %g) rotate(-90)' text-anchor='middle'>Gkeys/s</text>\n",
            left + width / 2, bottom + 36, top + height / 2);
}

void write_line(FILE *file, const axes &axes, const versus_line &line, const char *colour,
                double legend)
{
    fprintf(file, "<g fill='%s'><polyline stroke='%s' points='", colour, colour);
    for (const versus_point &point : line.points)
        fprintf(file, "%.1f,%.1f ", axes.x_of((double)point.count), axes.y_of(axes.rate_of(point)));
    fputs("'/>", file);
    for (const versus_point &point : line.points)
        fprintf(file, "<circle cx='%.1f' cy='%.1f' r='3'/>", axes.x_of((double)point.count),
                axes.y_of(axes.rate_of(point)));
    fprintf(file, "<text x='%g' y='%g' class='legend'>%s</text></g>\n", left + 10, legend,
            escaped(line.name).c_str());
}

void write_panel(FILE *file, const versus_panel &panel, double x, double y)
{
    const axes axes(panel);
    const char *about = axes.end == 0    ? "nothing was measured"
                        : axes.by_device ? "by device time"
                                         : "by host time";
    fprintf(file, "<g transform='translate(%g %g)'>\n<text x='%g' y='24'>%s: %s</text>\n", x, y,
            left, escaped(panel.title).c_str(), about);
    if (axes.end > 0)
        write_axes(file, axes);
    double legend = top + 16;
    for (size_t i = 0; i < panel.lines.size() && axes.end > 0; i++) {
        if (panel.lines[i].points.empty())
            continue;
        write_line(file, axes, panel.lines[i], colours[i % num_colours], legend);
        legend += 16;
    }
    fputs("</g>\n", file);
}

double median_of(const std::vector<versus_times> &rounds, double versus_times::*clock)
{
    std::vector<double> seconds;
    for (const versus_times &times : rounds)
        seconds.push_back(times.*clock);
    return versus_median(seconds);
}

} // namespace

versus_plot::versus_plot(const versus_options &options, const std::string &head)
    : head_(head), has_algorithms_(options.algorithms.size() > 1)
{
    if (options.plot.empty())
        return;
    file_ = fopen(options.plot.c_str(), "w");
    if (!file_)
        throw std::runtime_error("cannot write " + options.plot + ": " + strerror(errno));
}

versus_plot::~versus_plot()
{
    if (file_)
        fclose(static_cast<FILE *>(file_));
}

void versus_plot::add(const versus_type &type, const versus_input &input,
                      const std::vector<versus_result> &results)
{
    const std::string title =
        std::string(type.name) + ", " + versus_distribution_names[input.distribution];
    if (panels_.empty() || panels_.back().title != title)
        panels_.push_back({title, {}});
    std::vector<versus_line> &lines = panels_.back().lines;
    lines.resize(results.size());
    for (size_t i = 0; i < results.size(); i++) {
        const versus_result &result = results[i];
        const std::string algorithm = result.how.substr(0, result.how.find(':'));
        lines[i].name =
            result.name + (has_algorithms_ && !algorithm.empty() ? " " + algorithm : "");
        if (!result.rounds.empty())
            lines[i].points.push_back({input.count, median_of(result.rounds, &versus_times::device),
                                       median_of(result.rounds, &versus_times::host)});
    }
}

void versus_plot::write()
{
    FILE *file = static_cast<FILE *>(file_);
    if (!file)
        return;
    const size_t num_columns = std::min<size_t>(2, panels_.size());
    const size_t num_rows = (panels_.size() + 1) / 2;
    fprintf(file,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%g' height='%g' "
            "font-family='sans-serif' font-size='12'>\n"
            "<style>.grid{stroke:#ddd;fill:none}polyline{fill:none;stroke-width:2}"
            ".legend{paint-order:stroke;stroke:white;stroke-width:4}</style>\n"
            "<rect width='100%%' height='100%%' fill='white'/>\n"
            "<text x='%g' y='26' font-size='14'>%s</text>\n",
            panel_width * (double)num_columns, head_height + panel_height * (double)num_rows, left,
            escaped(head_).c_str());
    for (size_t i = 0; i < panels_.size(); i++)
        write_panel(file, panels_[i], panel_width * (double)(i % 2),
                    head_height + panel_height * (double)(i / 2));
    fputs("</svg>\n", file);
    file_ = nullptr;
    if (fclose(file) != 0)
        throw std::runtime_error(std::string("the plot: ") + strerror(errno));
}
